/* SPDX-License-Identifier: MIT */
/*
 * Circular functions, the length of a pair, and the remainders of a division. Worst errors seen, with SLEEF 3.5.1: sin
 * 0.883 ulp at -0x1.5fbc3e55aebcep+27, cos 0.843 at 253487529659.7381 (at baseline 0.857 at
 * 0x1.923a2c34148f9p-1), tan 0.963 at 0x1.c43fdcf2fd87cp+2, cospi 0.503. SLEEF
 * rounds denormals twice. Therefore, in this file, sinpi of small x is pi x, and hypot of small pairs is computed at another
 * scale. Their worst errors are sinpi 0.750 at -5.8367481488572675e-309 and hypot 0.750 at
 * (1.1971513718309878e-310, 0x0.88424ebe76db1p-1022).
 * Constants: derive/by_table.py, derive/exponentials.py.
 */
#include "circular_kernels.h"
#include "by_sleef.h"
#include "factor.h"
#include "quarters.h"
#include "small.h"

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

/* For too many quarters, or for NaN; else y. */
static __attribute__((noinline)) vd sin_if_far(vd x, vul quarter, vd y)
{
	const vd of_any = SLEEF(sin, u10)(x);

	return vd_sel(is_far(quarter), of_any, y);
}

static __attribute__((noinline)) vd cos_if_far(vd x, vul quarter, vd y)
{
	const vd of_any = SLEEF(cos, u10)(x);

	return vd_sel(is_far(quarter), of_any, y);
}

static __attribute__((noinline)) vd tan_by_sleef(vd x)
{
	const vd y = SLEEF(tan, u10)(x);

	return unless_small(x, y);
}

ISK_INLINE vd sin_of(vd x)
{
	const struct in_quarters t = in_quarters(x, 0);
	/* Without FMA the product with k = 0 may be 0 of either sign. */
	const vd y = ISK_FMA ? sine_of(t) : vd_sel(vd_eq(x, vd_set1(0)), x, sine_of(t));

	return __builtin_expect(any_is_far(t.quarter), 0) ? sin_if_far(x, t.quarter, y) : y;
}

ISK_INLINE vd cos_of(vd x)
{
	const struct in_quarters t = in_quarters(x, 1);
	const vd y = sine_of(t);

	return __builtin_expect(any_is_far(t.quarter), 0) ? cos_if_far(x, t.quarter, y) : y;
}

#if ISK_FMA

/* The negative inverse if k is odd. */
ISK_INLINE vd tan_of(vd x)
{
	const struct in_quarters t = in_quarters(x, 0);
	const vd y = quotient_either_way(vul_is_odd(t.quarter), tan_numerator(t.r), tan_denominator(t.r));

	return __builtin_expect(any_is_far(t.quarter), 0) ? vd_sel(is_far(t.quarter), tan_by_sleef(x), y) : y;
}

#else

/* Without FMA the parts lose more than the bound allows. */
ISK_INLINE vd tan_of(vd x)
{
	return tan_by_sleef(x);
}

#endif

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

MAP(sin, sin_of(x))
MAP(cos, cos_of(x))
MAP(tan, tan_of(x))
MAP(sinpi, sinpi_of(x))
MAP(cospi, cospi_of(x))
ZIP(hypot, hypot_of(a, b))
ZIP(fmod, fmod_of(a, b))
ZIP(remainder, remainder_of(a, b))
