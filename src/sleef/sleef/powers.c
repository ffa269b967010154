/* SPDX-License-Identifier: MIT */
/*
 * Exponential functions and logarithms. A function that is SLEEF's alone has the bound that SLEEF promises.
 * expm1, exp10 and pow use exp_two.h and log_two.h. Worst errors seen, with SLEEF 3.5.1: exp 0.892 ulp at
 * -708.76986180884091 (at baseline 0.951 at 3.8296417561503406), exp2 0.859 at -1022.478853059087, exp10 0.750 at
 * -307.94804016449478 (0.753 at -307.83337565457543), expm1 0.720 at 0.36852924879403842 (0.827 at
 * 0.37463116726192536), log 0.714 at 1.4917726116415686, log2 0.792 at 0.74128522375798078, log10 0.730 at
 * 0.74410983402254605, log1p 0.742 at -0.25596061024598604, cbrt 0.540 at -4.0006342079953461, pow 0.750 at
 * (4.5528055391798159e-317, 0x1.f1f0d1a85f1cep-1), whose result is denormal and rounded twice.
 * Constant: derive/exponentials.py.
 */
#include "powers_kernels.h"
#include "by_sleef.h"
#include "factor.h"
#include "log_two.h"

#include <float.h>

/*
 * y, or for x beyond t = 0x1.62e42fe102c83p+9, where SLEEF overflows too early,
 * exp(t) (1 + d + d^2 / 2) with d = x - t. d is below 2^-18 if the result is finite.
 */
ISK_INLINE vd unless_huge(vd x, vd y)
{
	const vd d = x - 0x1.62e42fe102c83p+9;
	const vd low =
		vd_fma(vd_set1(0x1.ffffc57ca84a9p+1023), vd_fma(d * 0.5, d, d), vd_set1(0x1.dd2f5fcacf43dp+968));

	return vd_sel(vd_lt(vd_set1(0x1.62e42fe102c83p+9), x), vd_set1(0x1.ffffc57ca84a9p+1023) + low, y);
}

/* e^(x log(10)), with log(10) in two parts. */
ISK_INLINE vd exp10_of(vd x)
{
	const vd near = vd_min(vd_set1(310), vd_max(vd_set1(-325), x)), ln = vd_set1(0x1.26bb1bbb55516p+1), t = near * ln;
	const struct power e = power_of(t, vd_fma(near, vd_set1(-0x1.f48ad494ea3e9p-53), vd_mul_low(near, ln, t)));
	const struct parts m = mantissa(e);

	return scaled(m.high + m.low, e.sum);
}

ISK_INLINE vd expm1_of(vd x)
{
	const struct power e = power_less_one(power_of(vd_min(vd_set1(711), vd_max(vd_set1(-60), x)), vd_set1(0)));

	return vd_sel(vd_lt(vd_abs(x), vd_set1(0x1p-54)), x, scaled(e.q.high, e.sum));
}

/* SLEEF treats the smallest numbers as 0, and squares too large ones. From 2^54 on log(x) is the same. */
ISK_INLINE vd log1p_by_sleef(vd x)
{
	const vmd large = vd_lt(vd_set1(0x1p54), x);
	vd y = v_sel(v_lt(v_abs(x), vd_set1(0x1p-54)), x, SLEEF(log1p, u10)(x));

	if (__builtin_expect(vmd_any(large), 0))
		y = vd_sel(large, SLEEF(log, u10)(x), y);
	return y;
}

/*
 * size^b = e^(b log(size)), with the logarithm and its product with b in two parts. A tiny size is scaled up for the
 * logarithm, and 0 and infinity get -Inf and +Inf. b is clamped, so that 0 times an infinite b is 0.
 */
ISK_INLINE vd size_of_power(vd size, vd b)
{
	const vd zero = vd_set1(0), one = vd_set1(1), inf = vd_set1((double)INFINITY);
	const vd near = vd_min(vd_set1(0x1p900), vd_max(vd_set1(-0x1p900), b));
	const vmd is_tiny = vd_lt(size, vd_set1(0x1p-1000));
	const vd by = vd_sel(is_tiny, vd_set1(0x1p100), one), added = vd_sel(is_tiny, vd_set1(-100), zero);
	const struct parts l = log_two(size * by, added);
	const vd log = vd_sel(vd_lt(size, inf), vd_sel(vd_lt(zero, size), l.high, -inf), size);
	const struct parts t = parts_times(settled((struct parts){log, l.low}), near);
	const vd bounded = vd_min(vd_set1(800), vd_max(vd_set1(-800), t.high));
	const struct power e = power_of(bounded, vd_sel(vd_lt(vd_abs(t.high), vd_set1(800)), t.low, zero));
	const struct parts m = mantissa(e);

	return scaled(m.high + m.low, e.sum);
}

/* A negative number has powers only for integers b, negative ones if b is odd. -Inf has all powers. */
ISK_INLINE vd pow_of(vd a, vd b)
{
	const vd y = size_of_power(vd_abs(a), b), half = b * 0.5, one = vd_set1(1), zero = vd_set1(0);
	const vd sign = vd_sel(vd_eq(vd_trunc(half), half), zero, a);
	const vmd is_finite = vd_le(vd_set1(-DBL_MAX), a);
	const vd of_fraction = vd_sel(vd_lt(a, zero), vd_sel(is_finite, vd_set1((double)NAN), y), y);
	const vd power = vd_sel(vd_eq(vd_trunc(b), b), vd_copysign(y, sign), of_fraction);

	return vd_sel(vd_eq(b, zero), one, vd_sel(vd_eq(a, one), one, power));
}

MAP(exp, unless_huge(x, SLEEF(exp, u10)(x)))
MAP(exp2, SLEEF(exp2, u10)(x))
MAP(exp10, exp10_of(x))
MAP(expm1, expm1_of(x))
MAP(log, SLEEF(log, u10)(x))
MAP(log2, SLEEF(log2, u10)(x))
MAP(log10, SLEEF(log10, u10)(x))
MAP(log1p, log1p_by_sleef(x))
MAP(cbrt, SLEEF(cbrt, u10)(x))
ZIP(pow, pow_of(a, b))
