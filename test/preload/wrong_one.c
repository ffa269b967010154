/* SPDX-License-Identifier: MIT */
/*
 * Kernels that are wrong on purpose. For exp, element 3 is a little too large, in place element 5 is a NaN, and a NaN gives 1.
 * Square roots are right, but errno is set after a negative number.
 */
#include <errno.h>
#include <math.h>
#include <stddef.h>

__attribute__((visibility("default"))) void isk_exp_f32(float *y, const float *x, size_t n);
void isk_exp_f32(float *y, const float *x, size_t n)
{
	const int in_place = y == x;

	for (size_t i = 0; i < n; i++)
		y[i] = in_place && i == 5 ? NAN : isnan(x[i]) ? 1 : expf(x[i]) * (i == 3 ? 1.000001f : 1);
}

__attribute__((visibility("default"))) void isk_sqrt_f32(float *y, const float *x, size_t n);
void isk_sqrt_f32(float *y, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (x[i] < 0)
			errno = EDOM;
		y[i] = sqrtf(x[i]);
	}
}
