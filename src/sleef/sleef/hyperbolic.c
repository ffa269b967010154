/* SPDX-License-Identifier: MIT */
/*
 * Hyperbolic functions and their inverses. Worst errors seen: sinh 0.527 ulp at -710.32061697089273 (at baseline 0.540 at
 * 708.72380533213959), cosh 0.562 at -550.99071679688507 (0.568 at 2.0170078200626369), tanh 0.539 at
 * -0.010862384386896951 (0.547 at -0.010932958855769725), asinh 0.823 at 0x1.d7dada0e74838p-4 (0.832 at
 * 0x1.dc37e9c39c2c7p-4), acosh 0.806 at 0x1.01c5611a440edp+0 (0.814 at 0x1.01b87b63d3dp+0), atanh 0.812 at
 * 0x1.defa47372365p-5 (0.814 at -0x1.decd633d78f8ep-5).
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

/* log(u), or log(2 a) for an a beyond 2^500, whose square may be infinite. */
ISK_INLINE vd log_of_sum(struct parts u, vd a)
{
	const vmd is_large = vd_lt(vd_set1(0x1p500), a);
	const vd y = log_of_both(u);

	return __builtin_expect(vmd_any(is_large), 0) ? vd_sel(is_large, log_of_twice(a), y) : y;
}

/* log(a + root), or x for an |x| below 2^-28. The difference of one_more and 1 is exact, unless 1 does not count. */
ISK_INLINE vd asinh_of(vd x)
{
	const vd a = vd_abs(x), square = a * a, one_more = square + 1;
	const struct parts root = root_of((struct parts){one_more, square - (one_more - 1) + vd_mul_low(a, a, square)});
	const struct parts u = parts_sum(root.high, a);

	return vd_copysign(unless_small(a, log_of_sum((struct parts){u.high, u.low + root.low}, a)), x);
}

ISK_INLINE vd acosh_of(vd x)
{
	const vd square = x * x;
	const struct parts less = parts_sum(square, vd_set1(-1));
	const struct parts root = root_of((struct parts){less.high, less.low + vd_mul_low(x, x, square)});
	const vd y = log_of_sum(settled(parts_add_to(x, root)), x);

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
	const vd log = log_of_ratio(parts_sum(one, a), parts_sum(one, -a));
	const vd y = unless_small(x, log * vd_copysign(vd_set1(0.5), x));

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
