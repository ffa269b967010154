/* SPDX-License-Identifier: MIT */
/*
 * Exponential functions and logarithms. Where a function is SLEEF's alone, the bound is what SLEEF promises. Worst errors seen, of
 * SLEEF 3.5.1: exp 0.892 ulp at -708.76986180884091, exp2 0.859 at -1022.478853059087,
 * exp10 0.985 at 0x1.78451c83227f7p+6 (at baseline 1.056 at -1.6302708328143893), expm1
 * 1.000 at -36.736885854224681, log 0.714 at 1.4917726116415686, log2 0.792 at
 * 0.74128522375798078, log10 0.730 at 0.74410983402254605, log1p 0.742 at
 * -0.25596061024598604, cbrt 0.540 at -4.0006342079953461, pow 1.498 at
 * (0x1.3a037a3058031p-440, -0x1.2a172e5251414p+1).
 */
#include "powers_kernels.h"
#include "log1p_of.h"

#include <float.h>

/*
 * y, but for what SLEEF takes for infinite too early, from t = 0x1.62e42fe102c83p+9 on:
 * there it is exp(t) (1 + d + d^2 / 2) with d = x - t, below 2^-18 where it is finite.
 */
ISK_INLINE vd unless_huge(vd x, vd y)
{
	const vd d = x - 0x1.62e42fe102c83p+9;
	const vd low =
		vd_fma(vd_set1(0x1.ffffc57ca84a9p+1023), vd_fma(d * 0.5, d, d), vd_set1(0x1.dd2f5fcacf43dp+968));

	return vd_sel(vd_lt(vd_set1(0x1.62e42fe102c83p+9), x), vd_set1(0x1.ffffc57ca84a9p+1023) + low, y);
}

/*
 * The same of powers: (|a|^(b / 2))^2, of the sign that SLEEF gives to infinity. A b below
 * 1/4 in size makes infinity of 0 and infinity alone.
 */
ISK_INLINE vd pow_of(vd a, vd b)
{
	const vd y = SLEEF(pow, u10)(a, b);
	const vmd huge = vd_lt(vd_set1(DBL_MAX), v_abs(y));
	vd root;

	if (__builtin_expect(!vmd_any(huge), 1))
		return y;
	root = SLEEF(pow, u10)(v_abs(a), b * 0.5);
	return vd_sel(vd_lt(vd_set1(0.25), v_abs(b)), vd_sel(huge, v_copysign(root * root, y), y), y);
}

MAP(exp, unless_huge(x, SLEEF(exp, u10)(x)))
MAP(exp2, SLEEF(exp2, u10)(x))
MAP(exp10, SLEEF(exp10, u10)(x))
MAP(expm1, unless_huge(x, SLEEF(expm1, u10)(x)))
MAP(log, SLEEF(log, u10)(x))
MAP(log2, SLEEF(log2, u10)(x))
MAP(log10, SLEEF(log10, u10)(x))
MAP(log1p, log1p_of(x))
MAP(cbrt, SLEEF(cbrt, u10)(x))
ZIP(pow, pow_of(a, b))
