/* SPDX-License-Identifier: MIT */
/*
 * The epilogue into a C of f64, which has the operations of epilogue.h in doubles. Columns, and
 * distances between rows, of struct epilogue are 32-bit words, two for each element.
 */
#include "multiply.h"

epilogue_fn ISK_FN(epilogue_f64);

/* The scale and the bias of n <= VD columns from col on. Without them, 1 and -0 change no bit. */
struct linear {
	vd scale, bias;
};

ISK_INLINE struct linear linear_of(const struct isk_post *post, size_t col, size_t n)
{
	return (struct linear){post->scales == 0   ? vd_set1(1)
	                       : post->scales == 1 ? vd_set1(*(const double *)post->scale)
	                                           : vd_load_as(post->scale, col, n, ISK_F64),
	                       post->bias ? vd_load_as(post->bias, col, n, ISK_F64) : vd_set1(-0.0)};
}

/* max(0, x): a NaN stays NaN, and the added 0 turns -0 into 0. */
ISK_INLINE vd at_least_0(vd x)
{
	return vd_max(vd_set1(0), x) + 0;
}

ISK_INLINE vd activation(vd x, const struct isk_post *post)
{
	const vd one = vd_set1(1), six = vd_set1(6);
	const vd hard = vd_min(one, vd_max(vd_set1(0), vd_fma(x, one / six, one / 2)));

	switch (post->act) {
	case ISK_ACT_RELU:
		return at_least_0(x);
	case ISK_ACT_RELU6:
		return vd_min(six, at_least_0(x));
	case ISK_ACT_LEAKY_RELU:
		return vd_sel(vd_lt(x, vd_set1(0)), x * post->act_a, x);
	case ISK_ACT_HARDTANH:
		return vd_min(vd_set1(post->act_b), vd_max(vd_set1(post->act_a), x));
	case ISK_ACT_HARDSIGMOID:
		return hard;
	case ISK_ACT_HARDSWISH:
		/* not -Inf * 0 */
		return vd_max(vd_set1(-3), x) * hard;
	default:
		return x;
	}
}

ISK_INLINE vd combine(vd x, const struct isk_post *post, vd other)
{
	switch (post->binary) {
	case ISK_BINARY_ADD:
		return x + other;
	case ISK_BINARY_SUB:
		return x - other;
	case ISK_BINARY_MUL:
		return x * other;
	case ISK_BINARY_AXPY:
		return vd_fma(vd_set1(post->other_scale), other, x);
	default:
		return x;
	}
}

void ISK_FN(epilogue_f64)(const struct epilogue *e)
{
	const struct isk_post *post = e->post;

	for (size_t j = 0; j < e->cols; j += VL) {
		const size_t col = (e->col + j) / 2, n = (e->cols - j) / 2;
		const struct linear l = linear_of(post, col, n);

		for (size_t i = 0; i < e->rows; i++) {
			const size_t row = e->row + i;
			const vd scale = post->row_scale ? l.scale * ((const double *)post->row_scale)[row] : l.scale;
			vd x = activation(vd_fma((vd)vf_load(e->t + i * e->ldt + j), scale, l.bias), post);

			if (post->binary)
				x = combine(x, post, vd_load_as(post->other, row * post->ldother + col, n, ISK_F64));
			vd_store_as(e->c, row * e->ldc / 2 + col, x, n, ISK_F64);
		}
	}
}
