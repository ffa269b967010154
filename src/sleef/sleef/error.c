/* SPDX-License-Identifier: MIT */
/*
 * erf by a polynomial for small x, and erfc by normal.h. Worst errors found: erf 0.791 ulp at 0.99556175672745695 (at
 * baseline 0.907 at 0.96374644366792073), erfc 0.835 at 13.514365601508441 (0.904 at 26.321036388825711).
 * Constants: derive/by_table.py, derive/normal.py.
 */
#include "error_kernels.h"
#include "loops.h"
#include "factor.h"
#include "normal.h"
#include "polynomial.h"

/* (erf(x) - 2 / sqrt(pi) (x - x^3 / 3)) / x^5 in x^2, for |x| up to 1 */
static const double erf_steps[11] = {
	0x1.1adb5829a6187p-34, -0x1.3fe917cf0ff10p-30, 0x1.f9ec4226c1434p-27, -0x1.5f4fe8a3e0b60p-23,
	0x1.b9e4793ba0590p-20, -0x1.f4d2443172ef0p-17, 0x1.f9a3266173f11p-14, -0x1.c02db3fe2a6ebp-11,
	0x1.565bcd0e6716bp-8, -0x1.b82ce31288b3bp-6, 0x1.ce2f21a042be2p-4,
};

/* 2 Phi(-a sqrt(2)), which is erfc(a), as q 2^n. |a| is clamped to 30, because it underflows there. */
ISK_INLINE struct power erfc_tail(vd size)
{
	const vd a = vd_min(vd_set1(30), size), square = a * a;
	const struct power e = power_of(-square, -vd_mul_low(a, a, square));
	const struct parts root = {vd_set1(0x1.6a09e667f3bcdp+0), vd_set1(-0x1.bdd3413b26456p-54)};

	return (struct power){e.sum, parts_scaled(tail_of(parts_times(root, a), mantissa(e)), vd_set1(2))};
}

/* base - erfc(a) */
ISK_INLINE vd without_tail(double base, struct power tail)
{
	const struct parts rest = parts_add_to(vd_set1(base), parts_scaled(tail.q, -small_scale(tail.sum)));

	return rest.high + rest.low;
}

/* For x < 0 it is 2 - erfc(-x). */
ISK_INLINE vd erfc_of(vd x)
{
	const struct power tail = erfc_tail(vd_abs(x));

	return vd_sel(vd_lt(x, vd_set1(0)), without_tail(2, tail), scaled(tail.q.high, tail.sum));
}

static __attribute__((noinline)) vd erf_of_large(vd size)
{
	return without_tail(1, erfc_tail(size));
}

/* x (2 / sqrt(pi) (1 - x^2 / 3) + x^4 p(x^2)), the first two terms in two parts, or 1 - erfc(|x|) beyond 1. */
ISK_INLINE vd erf_of(vd x)
{
	const vd w = x * x, size = vd_abs(x);
	const struct parts slope = {vd_set1(0x1.20dd750429b6dp+0), vd_set1(0x1.1ae3a914fed80p-56)};
	const struct parts third = {vd_set1(-0x1.812746b0379e7p-2), vd_set1(0x1.ee12e49cab7p-57)};
	const struct parts near = parts_add_to(slope.high, parts_times(third, w));
	const vd low = near.low + vd_fma(third.high, vd_mul_low(x, x, w), slope.low);
	const vd high = x * near.high, rest = vd_fma(POLYNOMIAL(erf_steps, w), w * w, low);
	const vd y = unless_tiny(x, slope, high + vd_fma(x, rest, vd_mul_low(x, near.high, high)));
	const vmd is_large = vd_lt(vd_set1(1), size);

	return vd_copysign(__builtin_expect(vmd_any(is_large), 0) ? vd_sel(is_large, erf_of_large(size), y) : y, x);
}

MAP(erf, erf_of(x))
MAP(erfc, erfc_of(x))
