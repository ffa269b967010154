/* SPDX-License-Identifier: MIT */
/* Polynomials in lanes of f64. Odd and even powers are summed separately, so that half as many steps wait for each other. */
#ifndef ISK_BOTH_POWERS_H
#define ISK_BOTH_POWERS_H

#include "vec.h"

/* The polynomial in x with the coefficients c, highest powers first. Their number is even. */
ISK_INLINE vd both_powers(const double *c, const size_t count, vd x)
{
	const vd square = x * x;
	vd odd = vd_set1(c[0]), even = vd_set1(c[1]);

#pragma GCC unroll 10
	for (size_t i = 2; i < count; i += 2) {
		odd = vd_fma(odd, square, vd_set1(c[i]));
		even = vd_fma(even, square, vd_set1(c[i + 1]));
	}
	return vd_fma(odd, x, even);
}

#define BOTH_POWERS(c, x) both_powers(c, sizeof(c) / sizeof(*(c)), x)

#endif
