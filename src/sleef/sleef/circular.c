/* SPDX-License-Identifier: MIT */
/*
 * Circular functions and their inverses, the length of a pair, and the remainders of a
 * division. Worst errors seen, with SLEEF 3.5.1: sin 0.770 ulp at 164934749.96172053, cos
 * 0.749 at 6043799314848.2344, tan 0.623 at 3.9192037582397474, asin 0.818 at
 * -0.51123895518489615, acos 0.728 at 0.56864193845718702, atan 0.822 at
 * 0.062499951571226155, atan2 0.833 at (0.40919318235590385, 0.40791688484449962);
 * cospi 0.503. SLEEF rounds denormals twice. Therefore, in this file, sinpi of small x is pi x, a small angle of atan2 is a
 * quotient, and hypot of small pairs is computed at another scale. Their worst errors are sinpi 0.750 at
 * -5.8367481488572675e-309 and hypot 0.750 at (1.1971513718309878e-310, 0x0.88424ebe76db1p-1022).
 * Constant: derive/exponentials.py.
 */
#include "circular_kernels.h"
#include "by_sleef.h"
#include "factor.h"

/* x minus an even integer, exactly, because SLEEF's sinpi takes no large arguments. */
ISK_INLINE vd within_two(vd x)
{
	return x - 2 * v_nearest(x * 0.5);
}

/* sinpi of an integer is a zero with the sign of that integer. */
ISK_INLINE vd sinpi_of(vd x)
{
	const struct parts pi = {vd_set1(0x1.921fb54442d18p+1), vd_set1(0x1.1a62633145c07p-53)};
	const vd y = SLEEF(sinpi, u05)(within_two(x));

	return unless_tiny(x, pi, v_sel(v_lt(vd_set1(0), v_abs(y)), y, v_copysign(y, x)));
}

/* A small angle is the quotient a / b, because SLEEF would round a denormal quotient twice. */
ISK_INLINE vd atan2_of(vd a, vd b)
{
	return vd_sel(vd_lt(vd_abs(a), b * 0x1p-30), a / b, SLEEF(atan2, u10)(a, b));
}

/* Adding 0 turns -0 into +0, because cospi of an integer and a half is +0. */
ISK_INLINE vd cospi_of(vd x)
{
	const vd y = SLEEF(cospi, u05)(within_two(x));

	return y + 0;
}

/* Small pairs are computed at a larger scale, because SLEEF rounds denormal results twice. */
ISK_INLINE vd hypot_of(vd a, vd b)
{
	const vmd is_small = vd_lt(vd_max(vd_abs(a), vd_abs(b)), vd_set1(0x1p-960));
	const vd y = SLEEF(hypot, u05)(a, b);
	vd larger;

	if (__builtin_expect(!vmd_any(is_small), 1))
		return y;
	larger = SLEEF(hypot, u05)(a * 0x1p200, b * 0x1p200);
	return vd_sel(is_small, larger * 0x1p-200, y);
}

/*
 * SLEEF divides, and the quotient may overflow. If it could, a is first reduced by
 * multiples of b. These are exact, or infinite, and then a stays as it is.
 */
ISK_INLINE vd fmod_of(vd a, vd b)
{
	if (__builtin_expect(vmd_any(vd_lt(v_abs(b) * 0x1p500, v_abs(a))), 0)) {
		a = SLEEF(fmod, )(a, b * 0x1p750 * 0x1p750);
		a = SLEEF(fmod, )(a, b * 0x1p500 * 0x1p500);
		a = SLEEF(fmod, )(a, b * 0x1p500);
	}
	return SLEEF(fmod, )(a, b);
}

/*
 * Let y = |b| and rest = |a| modulo 2 y. The rest is nearest to 0, to y or, if it is 3/2 y or more, to 2 y, and these
 * differences are exact. If 2 y overflows, infinity serves as well. A remainder of 0 has the sign of a.
 */
ISK_INLINE vd remainder_of(vd a, vd b)
{
	const vd y = vd_abs(b), rest = fmod_of(vd_abs(a), y + y), less = rest - y;
	const vd nearest = vd_sel(vd_lt(y, rest + rest), vd_sel(vd_lt(less + less, y), less, less - y), rest);

	return (vd)((vl)nearest ^ ((vl)a & INT64_MIN));
}

MAP(sin, SLEEF(sin, u10)(x))
MAP(cos, SLEEF(cos, u10)(x))
MAP(tan, unless_small(x, SLEEF(tan, u10)(x)))
MAP(sinpi, sinpi_of(x))
MAP(cospi, cospi_of(x))
MAP(asin, SLEEF(asin, u10)(x))
MAP(acos, SLEEF(acos, u10)(x))
MAP(atan, SLEEF(atan, u10)(x))
ZIP(atan2, atan2_of(a, b))
ZIP(hypot, hypot_of(a, b))
ZIP(fmod, fmod_of(a, b))
ZIP(remainder, remainder_of(a, b))
