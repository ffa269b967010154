/* SPDX-License-Identifier: MIT */
/* 1 / (1 + e^-v) in two parts, and what is made of it. */
#ifndef ISK_GATE_H
#define ISK_GATE_H

#include "factor.h"

#include <float.h>

/* -|x|: below 0 no lower than where times any b nothing is left, and above 0 than where it is nothing beside 1. */
ISK_INLINE vd minus_size(vd x, double below, double above)
{
	return vd_max(vd_sel(vd_lt(x, vd_set1(0)), vd_set1(below), vd_set1(above)), -vd_abs(x));
}

/* Of the -|v| that is s + low: 1 / (1 + z) with z = e^-|v| or, below 0, z / (1 + z). It is q 2^n. */
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

/* a / (1 + e^-a) and that times b, where -Inf is -0 b. */
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
