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
	Tensor y, a, b, weight, bias, mask, index, starts;
};

using computation = std::function<Tensor(tensors &)>;

/* The form of y, and of a and b if that is different. */
enum class shape { rows, number, columns, bags, channels_first, channels_last, units, weights };

struct kernel {
	at::ScalarType from, to;
	shape of;
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

/* The elementwise part of torch::lstm_cell, after its products. */
Tensor lstm_cell(tensors &t)
{
	Tensor c = t.y[0], h = t.y[1];

	at::add_out(c, at::sigmoid(t.a[1]) * t.b[0], at::sigmoid(t.a[0]) * at::tanh(t.a[2]));
	at::mul_out(h, at::sigmoid(t.a[3]), at::tanh(c));
	return t.y;
}

/* The arithmetic of torch::optim::Adam. */
Tensor adam(tensors &t)
{
	Tensor p = t.y[0], m = t.y[1], v = t.y[2], g = t.a[0];

	m.mul_(ADAM_BETA1).add_(g, 1 - ADAM_BETA1);
	v.mul_(ADAM_BETA2).addcmul_(g, g, 1 - ADAM_BETA2);
	p.addcdiv_(m, (v.sqrt() * std::sqrt(ADAM_V_SCALE)).add_(ADAM_EPSILON), -ADAM_RATE * ADAM_M_SCALE);
	return t.y;
}

Tensor bag_sum(tensors &t)
{
	return std::get<0>(at::embedding_bag(t.a, t.index, t.starts));
}

Tensor pool(tensors &t)
{
	return at::adaptive_avg_pool2d(t.a, t.y.sizes().slice(2));
}

/* Writes into y if torch can, which avoids a new tensor. */
#define INTO(call) [](tensors &t) { return at::call; }

const std::map<std::string, kernel> kernels = {
	{"exp_f32", {at::kFloat, at::kFloat, shape::rows, INTO(exp_out(t.y, t.a))}},
	{"log_f32", {at::kFloat, at::kFloat, shape::rows, INTO(log_out(t.y, t.a))}},
	{"tanh_f32", {at::kFloat, at::kFloat, shape::rows, INTO(tanh_out(t.y, t.a))}},
	{"sigmoid_f32", {at::kFloat, at::kFloat, shape::rows, INTO(sigmoid_out(t.y, t.a))}},
	{"silu_f32", {at::kFloat, at::kFloat, shape::rows, INTO(silu_out(t.y, t.a))}},
	{"gelu_f32", {at::kFloat, at::kFloat, shape::rows, INTO(gelu_out(t.y, t.a))}},
	{"gelu_tanh_f32", {at::kFloat, at::kFloat, shape::rows, INTO(gelu_out(t.y, t.a, "tanh"))}},
	{"relu_f32", {at::kFloat, at::kFloat, shape::rows, INTO(clamp_min_out(t.y, t.a, 0))}},
	{"sin_f32", {at::kFloat, at::kFloat, shape::rows, INTO(sin_out(t.y, t.a))}},
	{"cos_f32", {at::kFloat, at::kFloat, shape::rows, INTO(cos_out(t.y, t.a))}},
	{"add_f32", {at::kFloat, at::kFloat, shape::rows, INTO(add_out(t.y, t.a, t.b))}},
	{"mul_f32", {at::kFloat, at::kFloat, shape::rows, INTO(mul_out(t.y, t.a, t.b))}},
	{"copy_b32", {at::kFloat, at::kFloat, shape::rows, [](tensors &t) { return t.y.copy_(t.a); }}},
	{"lt_f32", {at::kFloat, at::kBool, shape::rows, INTO(lt_out(t.y, t.a, t.b))}},
	{"select_b32", {at::kFloat, at::kFloat, shape::rows, INTO(where_out(t.y, t.mask, t.a, t.b))}},
	{"sum_cols_f32", {at::kFloat, at::kFloat, shape::columns, INTO(sum_out(t.y, t.a, {0}))}},
	{"bag_sum_f32_f32_s64", {at::kFloat, at::kFloat, shape::bags, bag_sum}},
	{"adaptive_avgpool_nchw_f32", {at::kFloat, at::kFloat, shape::channels_first, pool}},
	{"adaptive_avgpool_nhwc_f32", {at::kFloat, at::kFloat, shape::channels_last, pool}},
	{"lstm_ctht_f32", {at::kFloat, at::kFloat, shape::units, lstm_cell}},
	{"adam_f32", {at::kFloat, at::kFloat, shape::weights, adam}},
	{"sum_f32", {at::kFloat, at::kFloat, shape::number, INTO(sum(t.a))}},
	{"max_f32", {at::kFloat, at::kFloat, shape::number, INTO(max(t.a))}},
	{"dot_f32", {at::kFloat, at::kFloat, shape::number, INTO(dot(t.a[0], t.b[0]))}},
	{"l2sq_f32", {at::kFloat, at::kFloat, shape::number, INTO(sum(at::square(t.a - t.b)))}},
	{"cosine_f32", {at::kFloat, at::kFloat, shape::number, INTO(cosine_similarity(t.a, t.b, 1))}},
	{"argmax_f32", {at::kFloat, at::kDouble, shape::number, INTO(argmax(t.a))}},
	{"softmax_f32", {at::kFloat, at::kFloat, shape::rows, INTO(_softmax_out(t.y, t.a, 1, false))}},
	{"layernorm_f32", {at::kFloat, at::kFloat, shape::rows, normalized}},
	{"rmsnorm_f32", {at::kFloat, at::kFloat, shape::rows, root_mean_square}},
	{"cvt_f32_bf16", {at::kFloat, at::kBFloat16, shape::rows, [](tensors &t) { return t.y.copy_(t.a); }}},
	{"cvt_bf16_f32", {at::kBFloat16, at::kFloat, shape::rows, [](tensors &t) { return t.y.copy_(t.a); }}},
	{"cvt_f32_f16", {at::kFloat, at::kHalf, shape::rows, [](tensors &t) { return t.y.copy_(t.a); }}},
	{"cvt_f16_f32", {at::kHalf, at::kFloat, shape::rows, [](tensors &t) { return t.y.copy_(t.a); }}},
	{"quantize_f32_s8",
     {at::kFloat, at::kChar, shape::rows,
      INTO(quantize_per_tensor(t.a, QUANTIZE_SCALE, QUANTIZE_ZERO_S8, at::kQInt8))}},
	{"quantize_f32_u8",
     {at::kFloat, at::kByte, shape::rows,
      INTO(quantize_per_tensor(t.a, QUANTIZE_SCALE, QUANTIZE_ZERO_U8, at::kQUInt8))}},
};

using sizes = std::vector<int64_t>;

Tensor over(const void *data, const sizes &size, at::ScalarType type)
{
	return at::from_blob(const_cast<void *>(data), size, type);
}

/* One image of that many channels, whose pixels are adjacent or apart. */
Tensor image(const void *data, long channels, long side, shape of)
{
	if (of == shape::channels_first)
		return over(data, {1, channels, side, side}, at::kFloat);
	return over(data, {1, side, side, channels}, at::kFloat).permute({0, 3, 1, 2});
}

tensors of_vectors(const kernel &k, const vectors *v)
{
	const long rows = static_cast<long>(v->rows), cols = static_cast<long>(v->cols), side = static_cast<long>(v->side);
	const sizes all = {rows, cols}, one = {1}, row = {cols};
	tensors t;

	t.weight = over(v->weight, row, at::kFloat);
	t.bias = over(v->bias, row, at::kFloat);
	if (v->mask)
		t.mask = over(v->mask, all, at::kBool);
	if (k.of == shape::channels_first || k.of == shape::channels_last) {
		t.y = image(v->y, rows, cols, k.of);
		t.a = image(v->a, rows, side, k.of);
		return t;
	}
	t.y = over(v->y, k.of == shape::number  ? one
	               : k.of == shape::columns ? row
	               : k.of == shape::units   ? sizes{2, cols}
	               : k.of == shape::weights ? sizes{3, cols}
	                                        : all, k.to);
	t.a = over(v->a, k.of == shape::bags ? sizes{side, cols} : k.of == shape::units ? sizes{4, cols} : all, k.from);
	t.b = over(v->b, all, at::kFloat);
	if (k.of == shape::bags) {
		t.index = over(v->index, {rows * BAG_ROWS}, at::kLong);
		t.starts = over(v->starts, {rows}, at::kLong);
	}
	return t;
}
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

	if (found == kernels.end())
		return nullptr;
	const kernel &k = found->second;
	tensors t = of_vectors(k, v);

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
