/* SPDX-License-Identifier: MIT */
/* Level 1 of real vectors alone: sums of products and Givens rotations. */
#include "vector.h"

real CORE(dot)(int64_t n, const real *x, int64_t incx, const real *y, int64_t incy)
{
	struct copy of_x, of_y;
	const real *a = CORE(gather)(&of_x, x, n, incx, 0), *b = CORE(gather)(&of_y, y, n, incy, 0);
	const real sum = CORE(inner)(a, b, n, 0);

	CORE(drop)(&of_x);
	CORE(drop)(&of_y);
	return sum;
}

/*
 * r = sqrt(a^2 + b^2) with the sign of the larger, c = a / r, s = b / r, and z in place of b, from which a program may
 * compute c and s again. The numbers are squared times a power of two that makes the larger lie in [0.5, 1).
 */
void CORE(rotg)(real *a, real *b, real *c, real *s)
{
	const real of_a = *a, of_b = *b, larger_one = real_abs(of_a) > real_abs(of_b) ? of_a : of_b;
	int exponent;
	double p, q;
	real r;

	if (of_b == 0) {
		*c = 1;
		*s = 0;
		return;
	}
	frexp((double)larger_one, &exponent);
	p = ldexp((double)of_a, -exponent);
	q = ldexp((double)of_b, -exponent);
	r = (real)copysign(ldexp(sqrt(p * p + q * q), exponent), (double)larger_one);
	*c = of_a / r;
	*s = of_b / r;
	*a = r;
	*b = real_abs(of_a) > real_abs(of_b) ? *s : *c != 0 ? 1 / *c : 1;
}

/* The 2 by 2 matrix of rotm and rotmg: p[0] says which elements are stored, the others are 1, -1 or 0. */
struct rotation {
	real h11, h21, h12, h22;
};

void CORE(rotm)(int64_t n, real *x, int64_t incx, real *y, int64_t incy, const real *p)
{
	struct rotation h = {p[1], p[2], p[3], p[4]};

	if (p[0] == -2)
		return;
	if (p[0] == 0)
		h.h11 = h.h22 = 1;
	if (p[0] == 1) {
		h.h12 = 1;
		h.h21 = -1;
	}
	if (n > 0 && incx == 1 && incy == 1) {
		KERNEL(rotm)(x, y, (size_t)n, h.h11, h.h12, h.h21, h.h22);
		return;
	}
	x += start_of(n, incx);
	y += start_of(n, incy);
	for (int64_t i = 0; i < n; i++, x += incx, y += incy) {
		const real turned = *x * h.h11 + *y * h.h12;

		*y = *x * h.h21 + *y * h.h22;
		*x = turned;
	}
}

/*
 * Multiplies *d by a power of 4096^2 such that it lies between 1 / 4096^2 and 4096^2, and divides the row of h (and x1, if
 * given) by the power's root. If it had to, all elements of h are stored.
 */
static void bring_near_1(real *d, real *x, real *first, real *second, real *flag, struct rotation *h)
{
	const real step = 4096, least = 1 / (step * step), most = step * step;

	while (*d != 0 && (real_abs(*d) <= least || real_abs(*d) >= most)) {
		const real up = real_abs(*d) <= least ? step : 1 / step;

		if (*flag == 0)
			h->h11 = h->h22 = 1;
		else if (*flag == 1) {
			h->h21 = -1;
			h->h12 = 1;
		}
		*flag = -1;
		*d *= up * up;
		if (x)
			*x /= up;
		*first /= up;
		*second /= up;
	}
}

/* Without a rotation, all that is stored is 0. */
static void no_rotation(real *d1, real *d2, real *x1, real *flag, struct rotation *h)
{
	*flag = -1;
	*h = (struct rotation){0, 0, 0, 0};
	*d1 = *d2 = *x1 = 0;
}

/* The rotation of (sqrt(d1) x1, sqrt(d2) y1) that makes the second 0, without square roots. */
void CORE(rotmg)(real *d1, real *d2, real *x1, real y1, real *p)
{
	struct rotation h = {0, 0, 0, 0};
	real flag = 0;
	const real p1 = *d1 * *x1, p2 = *d2 * y1;

	if (*d1 < 0) {
		no_rotation(d1, d2, x1, &flag, &h);
	} else if (p2 == 0) {
		p[0] = -2;
		return;
	} else if (real_abs(p1 * *x1) > real_abs(p2 * y1)) {
		real u;

		h.h21 = -y1 / *x1;
		h.h12 = p2 / p1;
		u = 1 - h.h12 * h.h21;
		if (u > 0) {
			*d1 /= u;
			*d2 /= u;
			*x1 *= u;
		} else {
			no_rotation(d1, d2, x1, &flag, &h);
		}
	} else if (p2 * y1 < 0) {
		no_rotation(d1, d2, x1, &flag, &h);
	} else {
		real u, kept;

		flag = 1;
		h.h11 = p1 / p2;
		h.h22 = *x1 / y1;
		u = 1 + h.h11 * h.h22;
		kept = *d2 / u;
		*d2 = *d1 / u;
		*d1 = kept;
		*x1 = y1 * u;
	}
	bring_near_1(d1, x1, &h.h11, &h.h12, &flag, &h);
	bring_near_1(d2, NULL, &h.h21, &h.h22, &flag, &h);
	p[0] = flag;
	if (flag != 0) {
		p[1] = h.h11;
		p[4] = h.h22;
	}
	if (flag != 1) {
		p[2] = h.h21;
		p[3] = h.h12;
	}
}
