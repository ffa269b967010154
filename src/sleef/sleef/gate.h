/* SPDX-License-Identifier: MIT */
/* 1 / (1 + e^-v) in two parts, and functions made of it. */
#ifndef ISK_GATE_H
#define ISK_GATE_H

#include "factor.h"

#include <float.h>

/*
 * -|x|, clamped: to `below` for x < 0, where the result underflows even times b; to `above` for x > 0, where e^-|x|
 * vanishes next to 1.
 */
ISK_INLINE vd minus_size(vd x, double below, double above)
{
	return vd_max(vd_sel(vd_lt(x, vd_set1(0)), vd_set1(below), vd_set1(above)), -vd_abs(x));
}

/* 1 / (1 + e^-v) as q 2^n, for -|v| = s + low. With z = e^-|v| it is 1 / (1 + z), and for v < 0 z / (1 + z). */
ISK_INLINE struct power gate(vmd is_below, vd s, vd low)
{
	const struct power e = power_of(s, low);
	const struct parts m = mantissa(e), one = {vd_set1(1), vd_set1(0)};
	const struct parts under = settled(parts_add_to(one.high, parts_scaled(m, small_scale(e.sum))));

	return (struct power){vd_sel(is_below, e.sum, vd_set1(VD_ROUND)),
	                      parts_quotient(parts_sel(is_below, m, one), under)};
}

ISK_INLINE vd sigmoid_of(vd x)
{
	const struct power y = gate(vd_lt(x, vd_set1(0)), minus_size(x, -760, -760), vd_set1(0));

	return scaled(y.q.high, y.sum);
}

/* gated(a) = a / (1 + e^-a), and gated_times(a, b) is its product with b. a = -Inf gives -0 and -0 b. */
ISK_INLINE vd gated(vd a)
{
	const vmd is_below = vd_lt(a, vd_set1(0));
	const vd v = minus_size(a, -780, -600);
	const struct power y = gate(is_below, v, vd_set1(0));

	return times(y.q, y.sum, vd_sel(is_below, v, a));
}

ISK_INLINE vd gated_times(vd a, vd b)
{
	const vmd is_below = vd_lt(a, vd_set1(0));
	const vd v = minus_size(a, -1480, -600), zero = vd_set1(0);
	const struct power y = gate(is_below, v, zero);
	const vd by = vd_sel(vd_lt(a, vd_set1(-DBL_MAX)), -zero, vd_sel(is_below, v, a));

	return times_both(y.q, y.sum, by, b);
}

#endif
