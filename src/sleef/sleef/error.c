/* SPDX-License-Identifier: MIT */
/*
 * erf by SLEEF, for small x by its slope at 0, and erfc by normal.h. Worst errors
 * found, with SLEEF 3.5.1: erf 0.932 ulp at -0.99699090158166792 (at baseline 0.974 at 0.99828535174930733), erfc
 * 0.835 at 13.514365601508441 (0.904 at 26.321036388825711).
 * Constants: derive/normal.py.
 */
#include "error_kernels.h"
#include "by_sleef.h"
#include "factor.h"
#include "normal.h"

ISK_INLINE vd erf_of(vd x)
{
	const struct parts slope = {vd_set1(0x1.20dd750429b6dp+0), vd_set1(0x1.1ae3a914fed80p-56)};

	return unless_tiny(x, slope, SLEEF(erf, u10)(x));
}

/* erfc(x) = 2 Phi(-x sqrt(2)), and for x < 0 it is 2 - erfc(-x). |x| is clamped to 30, because erfc underflows there. */
ISK_INLINE vd erfc_of(vd x)
{
	const vmd is_below = vd_lt(x, vd_set1(0));
	const vd a = vd_min(vd_set1(30), vd_abs(x)), square = a * a, two = vd_set1(2);
	const struct power e = power_of(-square, -vd_mul_low(a, a, square));
	const struct parts root = {vd_set1(0x1.6a09e667f3bcdp+0), vd_set1(-0x1.bdd3413b26456p-54)};
	const struct parts tail = parts_scaled(tail_of(parts_times(root, a), mantissa(e)), two);
	const struct parts above = parts_add_to(two, parts_scaled(tail, -small_scale(e.sum)));

	return vd_sel(is_below, above.high + above.low, scaled(tail.high, e.sum));
}

MAP(erf, erf_of(x))
MAP(erfc, erfc_of(x))
