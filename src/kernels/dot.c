/* SPDX-License-Identifier: MIT */
/* Two arrays to one number: dot product, squared distance and cosine, in the
 * tree of reduce.h; the cosine reads both arrays once. */
#include "reduce.h"

float ISK_FN(dot_f32)(const float *a, const float *b, size_t n)
{
	float sum[MAX_SUMS];

	reduce(sum, a, b, n, 0, DOT);
	return sum[0];
}

float ISK_FN(l2sq_f32)(const float *a, const float *b, size_t n)
{
	float sum[MAX_SUMS];

	reduce(sum, a, b, n, 0, L2SQ);
	return sum[0];
}

/* The product of the norms: a product of their squares could overflow or vanish. */
float ISK_FN(cosine_f32)(const float *a, const float *b, size_t n)
{
	float sum[MAX_SUMS];

	reduce(sum, a, b, n, 0, COSINE);
	if (sum[1] == 0 || sum[2] == 0)
		return 0;
	return sum[0] / (sqrt1(sum[1]) * sqrt1(sum[2]));
}
