/* SPDX-License-Identifier: MIT */
/*
 * Hyperbolic functions and their inverses. At both ends SLEEF leaves out what is
 * possible: sinh and cosh beyond 710, asinh and acosh where the square overflows.
 * Worst errors seen, of SLEEF 3.5.1: sinh 1.458 ulp at -710.42368524647588, cosh 1.509 at
 * 710.43163828192519 (at baseline 2.030 and 2.079 there), up to 709 0.51; acosh 0.983 at
 * 4.3950793559292474e+233, asinh the same; tanh 1.000 at 18.714992523193366, atanh 0.51.
 */
#include "hyperbolic_kernels.h"
#include "by_sleef.h"

/* exp(a) / 2 for a from 709 on: e / 2 exp(a - 1), of which the argument is exact. */
static __attribute__((noinline)) vd half_exp(vd a)
{
	const vd e = SLEEF(exp, u10)(v_min(vd_set1(711), a) - 1);

	return vd_fma(e, vd_set1(0x1.5bf0a8b145769p+0), e * 0x1.4d57ee2b1013ap-54);
}

/* y, but for a beyond 709. */
ISK_INLINE vd unless_far(vd a, vd y)
{
	const vmd is_far = vd_lt(vd_set1(709), a);

	return __builtin_expect(vmd_any(is_far), 0) ? vd_sel(is_far, half_exp(a), y) : y;
}

/* log(2 a) for large a. */
static __attribute__((noinline)) vd log_twice(vd a)
{
	return SLEEF(log, u10)(a) + 0x1.62e42fefa39efp-1;
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

MAP(sinh, v_copysign(unless_far(v_abs(x), unless_small(x, SLEEF(sinh, u10)(x))), x))
MAP(cosh, unless_far(v_abs(x), SLEEF(cosh, u10)(x)))
MAP(tanh, unless_small(x, SLEEF(tanh, u10)(x)))
MAP(asinh, asinh_of(x))
MAP(acosh, acosh_of(x))
MAP(atanh, unless_small(x, SLEEF(atanh, u10)(x)))
