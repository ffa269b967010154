/* SPDX-License-Identifier: MIT */
/*
 * Rows normalised by their mean and variance, or by their mean square. The
 * variance is that of the deviations from the rounded mean, in a second pass:
 * mean(x^2) - mean^2 would lose all bits where the mean is large.
 *
 * An error of the mean counts eps * depth * mean |x| / sqrt(variance), that of
 * the variance half of eps * depth of y, and 4 more roundings follow. Worst found, of
 * the bound: layernorm 0.384 at {-0x1.029cbp-1, -0x1.01689ep-1, -0x1.03b35ep-1}[0],
 * rmsnorm 0.545 in two columns.
 */
#include "norm_kernels.h"
#include "loops.h"
#include "sum_tree.h"

/* y = (x - mean) * scale * weight + bias, for left elements from i on; a NULL weight or bias is left out. */
ISK_INLINE void scale_vector(float *y, const float *x, const float *weight, const float *bias, size_t i, size_t left,
                             vf mean, vf scale, const int weighted, const int biased)
{
	vf v = (vf_load_as(x, i, left, ISK_F32) - mean) * scale;

	if (weighted && biased)
		v = vf_fma(v, vf_load_as(weight, i, left, ISK_F32), vf_load_as(bias, i, left, ISK_F32));
	else if (weighted)
		v *= vf_load_as(weight, i, left, ISK_F32);
	else if (biased)
		v += vf_load_as(bias, i, left, ISK_F32);
	vf_store_as(y, i, v, left, ISK_F32);
}

#define SCALE(m, ...) scale_vector(y, x, weight, bias, i, m, vf_set1(mean), vf_set1(scale), weighted, biased);

ISK_INLINE void scale_row(float *y, const float *x, const float *weight, const float *bias, size_t n,
                          float mean, float scale, const int weighted, const int biased)
{
	ISK_LOOP(f32, SCALE, )
}

ISK_INLINE void normalise(float *y, const float *x, const float *weight, const float *bias, size_t n,
                          float mean, float squares, float epsilon)
{
	const float scale = 1 / __builtin_sqrtf(squares / (float)n + epsilon);

	if (weight && bias)
		scale_row(y, x, weight, bias, n, mean, scale, 1, 1);
	else if (weight)
		scale_row(y, x, weight, bias, n, mean, scale, 1, 0);
	else if (bias)
		scale_row(y, x, weight, bias, n, mean, scale, 0, 1);
	else
		scale_row(y, x, weight, bias, n, mean, scale, 0, 0);
}

/*
 * Fetches the next row before this one is scaled, as of it the sum comes first: not one so short that the loop is the
 * limit, nor one that L1 does not hold beside this.
 */
ISK_INLINE void fetch_next_row(const float *x, size_t rows, size_t cols, size_t ldx)
{
	for (size_t i = 0; rows > 1 && cols >= 256 && cols <= 4096 && i < cols; i += 64 / sizeof(*x))
		__builtin_prefetch(x + ldx + i);
}

void ISK_FN(layernorm_f32)(float *y, const float *x, const float *weight, const float *bias, size_t rows,
                           size_t cols, size_t ldy, size_t ldx, float epsilon)
{
	for (; rows && cols; rows--, y += ldy, x += ldx) {
		float sum[MAX_SUMS], mean;

		reduce_vf(sum, x, NULL, cols, 0, SUM, ISK_F32);
		mean = sum[0] / (float)cols;
		reduce_vf(sum, x, NULL, cols, mean, DEVIATION, ISK_F32);
		fetch_next_row(x, rows, cols, ldx);
		normalise(y, x, weight, bias, cols, mean, sum[0], epsilon);
	}
}

void ISK_FN(rmsnorm_f32)(float *y, const float *x, const float *weight, const float *bias, size_t rows,
                         size_t cols, size_t ldy, size_t ldx, float epsilon)
{
	for (; rows && cols; rows--, y += ldy, x += ldx) {
		float sum[MAX_SUMS];

		reduce_vf(sum, x, NULL, cols, 0, SQUARE, ISK_F32);
		fetch_next_row(x, rows, cols, ldx);
		normalise(y, x, weight, bias, cols, 0, sum[0], epsilon);
	}
}
