/* SPDX-License-Identifier: MIT */
/* Scales and biases sums in place and applies the activations that are no clamp. */
#include "epilogue.h"

ISK_INLINE vf activation(vf x, const enum isk_activation act, vf a)
{
	const vf one = vf_set1(1), six = vf_set1(6);
	const vf hard = vf_min(one, vf_max(vf_set1(0), vf_fma(x, one / six, one / 2)));

	switch (act) {
	case ISK_ACT_LEAKY_RELU:
		return vf_sel(vf_lt(x, vf_set1(0)), x * a, x);
	case ISK_ACT_SIGMOID:
		return vf_sigmoid(x);
	case ISK_ACT_HARDSIGMOID:
		return hard;
	case ISK_ACT_TANH:
		return vf_tanh(x);
	case ISK_ACT_HARDSWISH:
		/* not -Inf * 0 */
		return vf_max(vf_set1(-3), x) * hard;
	case ISK_ACT_GELU:
		return vf_gelu(x);
	case ISK_ACT_GELU_TANH:
		return vf_gelu_tanh(x);
	case ISK_ACT_SILU:
		return vf_silu(x);
	default:
		return x;
	}
}

ISK_INLINE void pass(const struct epilogue *e, const enum isk_activation act)
{
	const vf a = vf_set1((float)e->post->act_a);

	for (size_t j = 0; j < e->cols; j += VL) {
		const struct linear l = linear_of(e->post, e->col + j, e->cols - j);

		for (size_t i = 0; i < e->rows; i++) {
			float *t = e->t + i * e->ldt + j;

			vf_store(t, activation(vf_fma(vf_load(t), scale_of(e->post, l, e->row + i), l.bias), act, a));
		}
	}
}

#define PASS(act)                                                              \
	case act:                                                                  \
		pass(e, act);                                                          \
		break;

void ISK_FN(activate)(const struct epilogue *e)
{
	switch (e->post->act) {
		PASS(ISK_ACT_LEAKY_RELU)
		PASS(ISK_ACT_SIGMOID)
		PASS(ISK_ACT_HARDSIGMOID)
		PASS(ISK_ACT_TANH)
		PASS(ISK_ACT_HARDSWISH)
		PASS(ISK_ACT_GELU)
		PASS(ISK_ACT_GELU_TANH)
		PASS(ISK_ACT_SILU)
	default:
		break;
	}
}
