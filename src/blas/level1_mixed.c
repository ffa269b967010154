/* SPDX-License-Identifier: MIT */
/* Sums of products of floats in double: each product is exact, and they are added in the order of the index. */
#include "vector.h"

static double sum_from(double sum, int64_t n, const real *x, int64_t incx, const real *y, int64_t incy)
{
	x += start_of(n, incx);
	y += start_of(n, incy);
	for (int64_t i = 0; i < n; i++, x += incx, y += incy)
		sum += (double)*x * (double)*y;
	return sum;
}

double CORE(dsdot)(int64_t n, const real *x, int64_t incx, const real *y, int64_t incy)
{
	return sum_from(0, n, x, incx, y, incy);
}

real CORE(sdsdot)(int64_t n, real alpha, const real *x, int64_t incx, const real *y, int64_t incy)
{
	return (real)sum_from((double)alpha, n, x, incx, y, incy);
}
