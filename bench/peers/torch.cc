/* SPDX-License-Identifier: MIT */
#include "torch.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/api/include/torch/version.h>

#include <cstring>
#include <string>

namespace {

struct linear {
	at::Tensor a, weight, bias, residual, result;
	void *c;
};

}

const char *torch_describe(void)
{
	static const std::string usage = "CPU capability usage: ", all = at::show_config();
	static const std::string::size_type at = all.find(usage);
	static const std::string text = std::string(TORCH_VERSION) + ", uses "
		+ (at == std::string::npos ? "?" : all.substr(at + usage.size(), all.find('\n', at) - at - usage.size())) + " here";

	at::set_num_threads(1);
	return text.c_str();
}

void *torch_linear_make(void *a, void *b, void *bias, void *residual, void *c, long m, long n, long k)
{
	/* torch keeps weights as n by k. */
	return new linear{at::from_blob(a, {m, k}), at::from_blob(b, {k, n}).t().contiguous(), at::from_blob(bias, {n}),
	                  at::from_blob(residual, {m, n}), at::Tensor(), c};
}

void torch_linear_call(void *state)
{
	auto *s = static_cast<linear *>(state);
	const at::NoGradGuard guard;

	s->result = at::gelu(at::linear(s->a, s->weight, s->bias)) + s->residual;
}

void torch_linear_fetch(void *state)
{
	auto *s = static_cast<linear *>(state);

	std::memcpy(s->c, s->result.data_ptr(), s->result.nbytes());
}

void torch_linear_free(void *state)
{
	delete static_cast<linear *>(state);
}
