/* SPDX-License-Identifier: MIT */
/*
 * Hyperbolic functions and their inverses. Worst errors seen: sinh 0.527 ulp at -710.32061697089273 (at baseline 0.540 at
 * 708.72380533213959), cosh 0.562 at -550.99071679688507 (0.568 at 2.0170078200626369), tanh 0.539 at
 * -0.010862384386896951 (0.547 at -0.010932958855769725), asinh 0.580 at 0.031098895453588085, acosh 0.530
 * at 1.000483810209885, atanh 0.559 at -0.015423073984064973 (0.569 at 0.015528233595035891).
 * Constants: derive/by_table.py.
 */
#include "hyperbolic_kernels.h"
#include "loops.h"
#include "exp_sixteenths.h"
#include "log_sixteenths.h"
#include "small.h"

/* y, or e^|x| / 2 beyond FAR. */
ISK_INLINE vd unless_far(vd x, vd y)
{
	const vmd is_far = vd_lt(vd_set1(FAR), vd_abs(x));

	return __builtin_expect(vmd_any(is_far), 0) ? vd_sel(is_far, power_of_any(vd_abs(x), -1), y) : y;
}

/* The first two terms are in two parts, because they cancel if k is 1 or -1. */
ISK_INLINE vd sinh_of(vd x)
{
	const struct hyperbolic h = hyperbolic(x);
	const vd by_r = h.total.high * h.r;
	const struct parts whole = parts_sum(h.difference.high, by_r);
	const vd lost = vd_mul_low(h.total.high, h.r, by_r) + whole.low + h.difference.low;
	const vd more = vd_fma(h.total.high, h.sine + h.r_low, vd_fma(h.total.low, h.r, lost));

	return vd_copysign(unless_far(x, 0.5 * (whole.high + vd_fma(h.difference.high, h.cosine, more))), x);
}

ISK_INLINE vd cosh_of(vd x)
{
	const struct hyperbolic h = hyperbolic(x);
	const vd more = vd_fma(h.difference.high, h.r + h.sine, h.total.low);

	return unless_far(x, 0.5 * (h.total.high + vd_fma(h.total.high, h.cosine, more)));
}

/* sqrt(a), for an a whose low part is at most 2^-26 of it. 0 gives 0. */
ISK_INLINE struct parts root_of(struct parts a)
{
	const vd root = v_sqrt(a.high), half = 0.5 / vd_max(vd_set1(DBL_MIN), root);

	return (struct parts){root, half * (a.low - vd_mul_low(root, root, a.high))};
}

/* log(a + root), or log(2 a) for an a beyond 2^500, whose square may be infinite. */
ISK_INLINE vd log_of_sum(vd a, struct parts root)
{
	const vmd is_large = vd_lt(vd_set1(0x1p500), a);
	const struct parts sum = parts_sum_of_any(a, root.high), u = {sum.high, sum.low + root.low};
	const vd y = log_of_both(settled(u));

	return __builtin_expect(vmd_any(is_large), 0) ? vd_sel(is_large, log_of_twice(a), y) : y;
}

/* For an |x| below 2^-28 it is x. */
ISK_INLINE vd asinh_of(vd x)
{
	const vd a = vd_abs(x), square = a * a;
	const struct parts sum = parts_sum_of_any(square, vd_set1(1));
	const vd y = log_of_sum(a, root_of((struct parts){sum.high, sum.low + vd_mul_low(a, a, square)}));

	return vd_copysign(unless_small(a, y), x);
}

ISK_INLINE vd acosh_of(vd x)
{
	const vd square = x * x;
	const struct parts less = parts_sum(square, vd_set1(-1));
	const vd y = log_of_sum(x, root_of((struct parts){less.high, less.low + vd_mul_low(x, x, square)}));

	return vd_sel(vd_lt(x, vd_set1(1)), vd_set1((double)NAN), y);
}

/* For |x| >= 1: infinite for 1, else NaN. */
ISK_INLINE vd infinite_at_1(vd x)
{
	return vd_sel(vd_eq(vd_abs(x), vd_set1(1)), x * (double)INFINITY, vd_set1((double)NAN));
}

/* log((1 + a) / (1 - a)) / 2 */
ISK_INLINE vd atanh_of(vd x)
{
	const vd a = vd_abs(x), one = vd_set1(1);
	const vmd is_beyond = vd_le(one, a);
	const vd half_log = 0.5 * log_of_both(parts_quotient(parts_sum(one, a), parts_sum(one, -a)));
	const vd y = vd_copysign(unless_small(a, half_log), x);

	return __builtin_expect(vmd_any(is_beyond), 0) ? vd_sel(is_beyond, infinite_at_1(x), y) : y;
}

/* (e^2a - 1) / (e^2a + 1), which is 1 for a > 20. */
ISK_INLINE vd tanh_of(vd x)
{
	const vd a = vd_min(vd_set1(20), vd_abs(x));
	const struct parts y = less_one(a + a), sum = parts_sum_of_any(y.high, vd_set1(2));
	const struct parts t = parts_quotient(y, parts_sum(sum.high, sum.low + y.low));

	return vd_copysign(t.high, x);
}

MAP(sinh, sinh_of(x))
MAP(cosh, cosh_of(x))
MAP(tanh, tanh_of(x))
MAP(asinh, asinh_of(x))
MAP(acosh, acosh_of(x))
MAP(atanh, atanh_of(x))
