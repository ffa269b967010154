/* SPDX-License-Identifier: MIT */
/*
 * Hyperbolic functions and their inverses. SLEEF gives no results for large arguments
 * (sinh and cosh beyond 709, asinh and acosh if the square overflows), so these are here.
 * Worst errors seen, with SLEEF 3.5.1: sinh and cosh 0.543 ulp at 709.43629710673679 (at baseline 0.569 at
 * -709.4944674345395), up to 709 0.51; asinh 0.548 at -763897310901.3949, acosh 0.509 at 1.0691677366170227,
 * tanh, by the exponential, 0.622 at -0.19223610599219731 (0.695 at 0.1898660795493109), atanh 0.51.
 */
#include "hyperbolic_kernels.h"
#include "by_sleef.h"
#include "factor.h"
#include "log_two.h"

/* exp(a) / 2 for a >= 709 */
static __attribute__((noinline)) vd half_exp(vd a)
{
	const struct power e = power_of(vd_min(vd_set1(711), a), vd_set1(0));
	const struct parts m = mantissa(e);

	return scaled(m.high + m.low, e.sum - 1);
}

/* y, or exp(a) / 2 for a > 709. */
ISK_INLINE vd unless_far(vd a, vd y)
{
	const vmd is_far = vd_lt(vd_set1(709), a);

	return __builtin_expect(vmd_any(is_far), 0) ? vd_sel(is_far, half_exp(a), y) : y;
}

/* log(2 a) for large a. */
static __attribute__((noinline)) vd log_twice(vd a)
{
	const struct parts l = log_two(a, vd_set1(1));

	return vd_sel(vd_lt(a, vd_set1((double)INFINITY)), l.high + l.low, a);
}

ISK_INLINE vd asinh_of(vd x)
{
	const vd a = v_abs(x);
	const vmd large = vd_lt(vd_set1(0x1p500), a);
	vd y = unless_small(x, SLEEF(asinh, u10)(x));

	if (__builtin_expect(vmd_any(large), 0))
		y = vd_sel(large, v_copysign(log_twice(a), x), y);
	return y;
}

ISK_INLINE vd acosh_of(vd x)
{
	const vmd large = vd_lt(vd_set1(0x1p500), x);
	const vd y = SLEEF(acosh, u10)(x);

	return __builtin_expect(vmd_any(large), 0) ? vd_sel(large, log_twice(x), y) : y;
}

/* (e^2a - 1) / (e^2a + 1), which is 1 for a > 20. */
ISK_INLINE vd tanh_of(vd x)
{
	const vd a = vd_min(vd_set1(20), vd_abs(x));
	const struct power e = power_less_one(power_of(a + a, vd_set1(0)));
	const struct parts y = parts_scaled(e.q, small_scale(e.sum)), sum = parts_sum_of_any(y.high, vd_set1(2));
	const struct parts t = parts_quotient(y, parts_sum(sum.high, sum.low + y.low));

	return unless_small(x, vd_copysign(t.high, x));
}

MAP(sinh, v_copysign(unless_far(v_abs(x), unless_small(x, SLEEF(sinh, u10)(x))), x))
MAP(cosh, unless_far(v_abs(x), SLEEF(cosh, u10)(x)))
MAP(tanh, tanh_of(x))
MAP(asinh, asinh_of(x))
MAP(acosh, acosh_of(x))
MAP(atanh, unless_small(x, SLEEF(atanh, u10)(x)))
