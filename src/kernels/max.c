/* SPDX-License-Identifier: MIT */
/* The largest element; NaN when there is one. */
#include "reduce.h"

float ISK_FN(max_f32)(const float *x, size_t n)
{
	const struct maximum max = reduce_max(x, n);

	return max.nan ? __builtin_nanf("") : fold16(max.lanes, 1);
}
