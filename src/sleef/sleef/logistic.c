/* SPDX-License-Identifier: MIT */
/*
 * Functions that are made of e^x, written so that no digit is lost to either side of 0.
 * Worst errors seen, with SLEEF 3.5.1: silu 2.947 ulp at -3.2183499682731198, softplus 1.574
 * at -2.7635460238180865, logsigmoid 1.516 at 2.7675410219634555, mish 3.917 at
 * -3.2368077179958177, elu 1.264 at -0.70783323987223579, selu 1.438 at
 * -0.76781750181079511, celu 1.692 at -48.759259117369943, swiglu 3.534 at
 * (-6.5560969816624652, 0.80992409323155634), silu_backward 4.050 at
 * (-9.5000076293945312, -0.76196774195224037). elu, selu and celu have the 1 ulp of expm1
 * that SLEEF promises, up to twice where alpha moves it to the next power of 2, and roundings.
 * Constants: derive/exponentials.py.
 */
#include "logistic_kernels.h"
#include "log1p_of.h"
#include "tiny.h"

#include <float.h>

/* a / (1 + e^-a) b, where -Inf is -0 b. */
ISK_INLINE vd gated(vd a, vd b)
{
	const vd v = minus_size(a, -1480, -600);
	const struct tiny e = exp_tiny(v, vd_set1(0));
	const struct lifted l = lifted(vd_sel(vd_lt(a, vd_set1(0)), v, a), e.rest);
	const vd below = vd_sel(vd_lt(a, vd_set1(-DBL_MAX)), vd_set1(-0.0), l.a * e.z);

	return times_rest(vd_sel(vd_lt(a, vd_set1(0)), below, l.a) / (1 + whole(e)), b, l.rest);
}

/*
 * The derivative of a / (1 + e^-a) times dy. With z = e^-|a| it is (1 + (1 + a) z) / (1 + z)^2 above 0.
 * Below 0 it has a zero Z, (1 + Z) e^-Z = -1, and is z (a - Z + (e^(a - Z) - 1) e^Z) / (1 + z)^2, of two terms of
 * one sign.
 */
ISK_INLINE vd gated_slope(vd a, vd dy)
{
	const vd v = minus_size(a, -1480, -600);
	const struct tiny e = exp_tiny(v, vd_set1(0));
	const vd z = whole(e), from = v + 0x1.474973c84120bp+0 + 0x1.f8d74bc9ac154p-54;
	const vd below = vd_fma(SLEEF(expm1, u10)(from), vd_set1(0x1.1d25cf210482ep-2), from) * e.z;
	const vd above = vd_fma(1 - v, e.z, vd_set1(1));

	return times_rest(vd_sel(vd_lt(a, vd_set1(0)), below, above) / vd_fma(z, z + 2, vd_set1(1)), dy,
	                  e.rest);
}

/* max(x, 0) + log(1 + e^-|x|) */
ISK_INLINE vd softplus_of(vd x)
{
	return vd_max(vd_set1(0), x) + log1p_of(SLEEF(exp, u10)(-vd_abs(x)));
}

/* tanh(log(1 + u)) = u (u + 2) / (u (u + 2) + 2) with u = e^x, or (1 + 2 z) / (1 + 2 z (1 + z)) with z = 1 / u. */
ISK_INLINE vd mish_of(vd x)
{
	const vd v = minus_size(x, -800, -600);
	const struct tiny e = exp_tiny(v, vd_set1(0));
	const vd z = whole(e), twice = z + z;
	const vd below = v * e.z * (z + 2) / vd_fma(z, z + 2, vd_set1(2));
	const vd above = x * (1 + twice) / vd_fma(twice, 1 + z, vd_set1(1));

	return times_rest(vd_sel(vd_lt(x, vd_set1(0)), below, above), vd_set1(1), e.rest);
}

ISK_INLINE vd elu(vd x, double above, double below)
{
	return vd_sel(vd_lt(vd_set1(0), x), x * above, SLEEF(expm1, u10)(x) * below);
}

/* alpha e^t for t from 700 on, by exp(400.1875), which is an f64 but for 2^-64 of it; low is next to 0. */
static __attribute__((noinline)) vd celu_huge(vd t, vd low, double alpha)
{
	const vd z = SLEEF(exp, u10)(vd_min(vd_set1(1500), t) - 800.375);

	return vd_set1(alpha * 0x1.45f40e7f90ee6p+577) * vd_fma(z, low, z) * 0x1.45f40e7f90ee6p+577;
}

/*
 * alpha (e^t - 1) with t = x / alpha, and what the quotient lost: t may be large where alpha is negative. It may be
 * denormal too, but there the result is x, unless alpha is infinite. Both are scaled so that what is lost is not lost.
 */
ISK_INLINE vd celu_of(vd x, double alpha)
{
	const double size = alpha < 0 ? -alpha : alpha, scale = size < 0x1p-500 ? 0x1p400 : 1, one = 1 + (alpha - alpha);
	const vd scaled = x * scale, by = vd_set1(alpha * scale), t = scaled / by;
	const vd lost = -vd_mul_low(t, by, scaled) / by, low = vd_sel(vd_lt(vd_abs(lost), vd_set1(1)), lost, vd_set1(0));
	const vd e = SLEEF(expm1, u10)(t);
	const vmd is_huge = vd_lt(vd_set1(700), t);
	vd y = vd_sel(vd_lt(vd_abs(t), vd_set1(0x1p-54)), x * one, vd_fma(low, e + 1, e) * alpha);

	if (__builtin_expect(vmd_any(is_huge), 0))
		y = vd_sel(is_huge, celu_huge(t, low, alpha), y);
	return vd_sel(vd_lt(vd_set1(0), x), x, y);
}

MAP(silu, gated(x, vd_set1(1)))
MAP(softplus, softplus_of(x))
MAP(logsigmoid, -softplus_of(-x))
MAP(mish, mish_of(x))
MAP_SCALAR(elu, elu(x, 1, alpha))
/* 1.0507009873554804934 and 1.6732632423543772848 times that. */
MAP(selu, elu(x, 0x1.0cfabd6a91132p+0, 0x1.c212cc640f031p+0))
MAP_SCALAR(celu, celu_of(x, alpha))
ZIP(swiglu, gated(a, b))
ZIP(silu_backward, gated_slope(a, b))
