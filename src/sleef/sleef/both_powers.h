/* SPDX-License-Identifier: MIT */
/* Polynomials in lanes of f64. Odd and even powers are summed separately, so that half as many steps wait for each other. */
#ifndef ISK_BOTH_POWERS_H
#define ISK_BOTH_POWERS_H

#include "vec.h"

/* The polynomial in x with the coefficients c, highest powers first. */
ISK_INLINE vd both_powers(const double *c, const size_t count, vd x)
{
	const vd square = x * x;
	vd sums[2] = {vd_set1(c[0]), vd_set1(c[1])};

#pragma GCC unroll 20
	for (size_t i = 2; i < count; i++)
		sums[i % 2] = vd_fma(sums[i % 2], square, vd_set1(c[i]));
	return vd_fma(sums[count % 2], x, sums[1 - count % 2]);
}

#define BOTH_POWERS(c, x) both_powers(c, sizeof(c) / sizeof(*(c)), x)

#endif
