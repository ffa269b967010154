/* SPDX-License-Identifier: MIT */
#include "torch.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/api/include/torch/version.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace
{

using at::Tensor;

struct operation {
	std::function<Tensor()> compute;
	Tensor to, result;
};

/* Tensors over the operands. */
struct tensors {
	Tensor y, a, b, weight, bias;
};

using computation = std::function<Tensor(tensors &)>;

struct kernel {
	at::ScalarType from, to;
	bool one_result;
	computation compute;
};

Tensor normalized(const tensors &t)
{
	return at::layer_norm(t.a, t.weight.sizes(), t.weight, t.bias, NORM_EPSILON);
}

Tensor root_mean_square(const tensors &t)
{
	return t.a * at::rsqrt(at::mean(at::square(t.a), {-1}, true) + NORM_EPSILON) * t.weight;
}

/* Into y where torch can, which spares a new tensor. */
#define INTO(call) [](tensors &t) { return at::call; }

const std::map<std::string, kernel> kernels = {
	{"exp_f32", {at::kFloat, at::kFloat, false, INTO(exp_out(t.y, t.a))}},
	{"tanh_f32", {at::kFloat, at::kFloat, false, INTO(tanh_out(t.y, t.a))}},
	{"sigmoid_f32", {at::kFloat, at::kFloat, false, INTO(sigmoid_out(t.y, t.a))}},
	{"silu_f32", {at::kFloat, at::kFloat, false, INTO(silu_out(t.y, t.a))}},
	{"gelu_f32", {at::kFloat, at::kFloat, false, INTO(gelu_out(t.y, t.a))}},
	{"gelu_tanh_f32", {at::kFloat, at::kFloat, false, INTO(gelu_out(t.y, t.a, "tanh"))}},
	{"relu_f32", {at::kFloat, at::kFloat, false, INTO(clamp_min_out(t.y, t.a, 0))}},
	{"sin_f32", {at::kFloat, at::kFloat, false, INTO(sin_out(t.y, t.a))}},
	{"cos_f32", {at::kFloat, at::kFloat, false, INTO(cos_out(t.y, t.a))}},
	{"add_f32", {at::kFloat, at::kFloat, false, INTO(add_out(t.y, t.a, t.b))}},
	{"mul_f32", {at::kFloat, at::kFloat, false, INTO(mul_out(t.y, t.a, t.b))}},
	{"sum_f32", {at::kFloat, at::kFloat, true, INTO(sum(t.a))}},
	{"max_f32", {at::kFloat, at::kFloat, true, INTO(max(t.a))}},
	{"dot_f32", {at::kFloat, at::kFloat, true, INTO(dot(t.a[0], t.b[0]))}},
	{"l2sq_f32", {at::kFloat, at::kFloat, true, INTO(sum(at::square(t.a - t.b)))}},
	{"cosine_f32", {at::kFloat, at::kFloat, true, INTO(cosine_similarity(t.a, t.b, 1))}},
	{"argmax_f32", {at::kFloat, at::kDouble, true, INTO(argmax(t.a))}},
	{"softmax_f32", {at::kFloat, at::kFloat, false, INTO(_softmax_out(t.y, t.a, 1, false))}},
	{"layernorm_f32", {at::kFloat, at::kFloat, false, normalized}},
	{"rmsnorm_f32", {at::kFloat, at::kFloat, false, root_mean_square}},
	{"cvt_f32_bf16", {at::kFloat, at::kBFloat16, false, [](tensors &t) { return t.y.copy_(t.a); }}},
	{"cvt_bf16_f32", {at::kBFloat16, at::kFloat, false, [](tensors &t) { return t.y.copy_(t.a); }}},
	{"cvt_f32_f16", {at::kFloat, at::kHalf, false, [](tensors &t) { return t.y.copy_(t.a); }}},
	{"cvt_f16_f32", {at::kHalf, at::kFloat, false, [](tensors &t) { return t.y.copy_(t.a); }}},
	{"quantize_f32_s8",
     {at::kFloat, at::kChar, false,
      INTO(quantize_per_tensor(t.a, QUANTIZE_SCALE, QUANTIZE_ZERO_S8, at::kQInt8))}},
	{"quantize_f32_u8",
     {at::kFloat, at::kByte, false,
      INTO(quantize_per_tensor(t.a, QUANTIZE_SCALE, QUANTIZE_ZERO_U8, at::kQUInt8))}},
};
} // namespace

const char *torch_describe(void)
{
	static const std::string usage = "CPU capability usage: ", all = at::show_config();
	static const std::string::size_type at = all.find(usage);
	static const std::string text =
		std::string(TORCH_VERSION) + ", uses " +
		(at == std::string::npos ? "?"
	                             : all.substr(at + usage.size(), all.find('\n', at) - at - usage.size())) +
		" here";

	at::set_num_threads(1);
	return text.c_str();
}

void *torch_linear(void *a, void *b, void *bias, void *residual, void *c, long m, long n, long k)
{
	/* torch keeps weights as n by k. */
	const Tensor x = at::from_blob(a, {m, k}), weight = at::from_blob(b, {k, n}).t().contiguous();
	const Tensor with_bias = at::from_blob(bias, {n}), rest = at::from_blob(residual, {m, n});

	return new operation{
		[=] { return at::gelu(at::linear(x, weight, with_bias)) + rest; }, at::from_blob(c, {m, n}), {}};
}

void *torch_vectors(const char *name, const struct vectors *v)
{
	const auto found = kernels.find(name);
	const long rows = static_cast<long>(v->rows), cols = static_cast<long>(v->cols);

	if (found == kernels.end())
		return nullptr;
	const kernel &k = found->second;
	const std::vector<int64_t> all = {rows, cols}, row = {cols}, one = {1};
	tensors t = {at::from_blob(v->y, k.one_result ? one : all, k.to),
	             at::from_blob(const_cast<void *>(v->a), all, k.from),
	             at::from_blob(const_cast<void *>(v->b), all, at::kFloat),
	             at::from_blob(const_cast<float *>(v->weight), row, at::kFloat),
	             at::from_blob(const_cast<float *>(v->bias), row, at::kFloat)};

	return new operation{[t, &k]() mutable { return k.compute(t); }, t.y, {}};
}

void torch_call(void *state)
{
	auto *s = static_cast<operation *>(state);
	const at::NoGradGuard guard;

	s->result = s->compute();
}

void torch_fetch(void *state)
{
	auto *s = static_cast<operation *>(state);
	const Tensor plain = s->result.is_quantized() ? s->result.int_repr() : s->result;

	if (plain.data_ptr() != s->to.data_ptr())
		s->to.copy_(plain.reshape(s->to.sizes()));
}

void torch_free(void *state)
{
	delete static_cast<operation *>(state);
}
