/* SPDX-License-Identifier: MIT */
/* A kernel that is wrong on purpose: element 3 is a little too large, in place element 5 is a NaN, and a NaN gives 1. */
#include <math.h>
#include <stddef.h>

__attribute__((visibility("default"))) void isk_exp_f32(float *y, const float *x, size_t n);
void isk_exp_f32(float *y, const float *x, size_t n)
{
	const int in_place = y == x;

	for (size_t i = 0; i < n; i++)
		y[i] = in_place && i == 5 ? NAN : isnan(x[i]) ? 1 : expf(x[i]) * (i == 3 ? 1.000001f : 1);
}
