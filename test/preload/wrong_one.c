/* SPDX-License-Identifier: MIT */
/* A kernel that is wrong on purpose: element 3 is a little too large, and in place element 3 is a NaN. */
#include <math.h>
#include <stddef.h>

__attribute__((visibility("default"))) void isk_exp_f32(float *y, const float *x, size_t n);
void isk_exp_f32(float *y, const float *x, size_t n)
{
	const int in_place = y == x;

	for (size_t i = 0; i < n; i++)
		y[i] = in_place && i == 5 ? NAN : expf(x[i]) * (i == 3 ? 1.000001f : 1);
}
