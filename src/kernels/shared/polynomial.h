/* SPDX-License-Identifier: MIT */
/* Polynomials in lanes of f64 by Horner's rule, the coefficient of the highest power first. */
#ifndef ISK_POLYNOMIAL_H
#define ISK_POLYNOMIAL_H

#include "vec.h"

ISK_INLINE vd polynomial(const double *c, const size_t count, vd x)
{
	vd sum = vd_set1(c[0]);

#pragma GCC unroll 22
	for (size_t i = 1; i < count; i++)
		sum = vd_fma(sum, x, vd_set1(c[i]));
	return sum;
}

#define POLYNOMIAL(c, x) polynomial(c, sizeof(c) / sizeof(*(c)), x)

#endif
