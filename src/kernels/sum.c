/* SPDX-License-Identifier: MIT */
/* Sum of the elements: the tree of reduce.h, 128 lanes wide. */
#include "reduce.h"

float ISK_FN(sum_f32)(const float *x, size_t n)
{
	float sum[MAX_SUMS];

	reduce(sum, x, NULL, n, 0, SUM);
	return sum[0];
}
