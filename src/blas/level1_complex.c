/* SPDX-License-Identifier: MIT */
/* Level 1 of complex vectors alone. */
#include "vector.h"

static elem product(int64_t n, const elem *x, int64_t incx, const elem *y, int64_t incy, int conjugated)
{
	struct copy of_x, of_y;
	const elem *a = CORE(gather)(&of_x, x, n, incx, 0), *b = CORE(gather)(&of_y, y, n, incy, 0);
	const elem sum = CORE(inner)(a, b, n, conjugated);

	CORE(drop)(&of_x);
	CORE(drop)(&of_y);
	return sum;
}

elem CORE(dotu)(int64_t n, const elem *x, int64_t incx, const elem *y, int64_t incy)
{
	return product(n, x, incx, y, incy, 0);
}

elem CORE(dotc)(int64_t n, const elem *x, int64_t incx, const elem *y, int64_t incy)
{
	return product(n, x, incx, y, incy, 1);
}

void CORE(real_scal)(int64_t n, real alpha, elem *x, int64_t incx)
{
	if (n < 1 || incx < 1)
		return;
	if (incx == 1) {
		KERNEL(scale)((real *)x, (const real *)x, 2 * (size_t)n, alpha);
		return;
	}
	for (int64_t i = 0; i < n; i++, x += incx)
		*x = complex_of(alpha * re(*x), alpha * im(*x));
}

real CORE(cabs1)(const elem *x)
{
	return cabs1(*x);
}

/* A complex number as size * 2^exponent in a direction of size 1. */
struct polar {
	double re, im, size;
	int exponent;
};

static struct polar polar_of(elem x)
{
	struct polar p;

	frexp(fmax(fabs((double)re(x)), fabs((double)im(x))), &p.exponent);
	p.re = ldexp((double)re(x), -p.exponent);
	p.im = ldexp((double)im(x), -p.exponent);
	p.size = sqrt(p.re * p.re + p.im * p.im);
	p.re /= p.size;
	p.im /= p.size;
	return p;
}

/*
 * c = |a| / h, s = a / |a| * conj(b) / h and r = a / |a| * h in place of a, with h = sqrt(|a|^2 + |b|^2). If a is 0, its
 * direction is that of a positive number. Sizes are squared times a power of two, in double.
 */
void CORE(rotg)(elem *a, elem *b, real *c, elem *s)
{
	struct polar p, q;
	double u, v, h;
	int exponent;

	if (*b == 0) {
		*c = 1;
		*s = 0;
		return;
	}
	q = polar_of(*b);
	p = *a == 0 ? (struct polar){1, 0, 0, q.exponent} : polar_of(*a);
	exponent = p.exponent > q.exponent ? p.exponent : q.exponent;
	u = ldexp(p.size, p.exponent - exponent);
	v = ldexp(q.size, q.exponent - exponent);
	h = sqrt(u * u + v * v);
	*c = (real)(u / h);
	*s = complex_of((real)((p.re * q.re + p.im * q.im) * (v / h)), (real)((p.im * q.re - p.re * q.im) * (v / h)));
	*a = complex_of((real)(p.re * ldexp(h, exponent)), (real)(p.im * ldexp(h, exponent)));
}
