/* SPDX-License-Identifier: MIT */
/*
 * fmod and remainder, exact, in f64 lanes. With |a| and |b| of 24 bits and q = |a| /
 * |b|, cut off behind 28 bits, q |b| has at most 52 bits, and |a| - q |b| is a
 * multiple of the last bit of both and less than 2^24 of these: again a number of 24
 * bits, 2^27 times as small. The quotient is cut off rightly: were it rounded up to
 * 28 bits, |a| and q |b| would differ by less than the last bit of either. Nothing
 * rounds but the quotient, so that FMA makes no difference.
 */
#include "modulo_kernels.h"

#include <math.h>

#include "both.h"
#include "loops.h"

/* |a| modulo |b|, for which 0 and an infinite a are not asked. */
ISK_INLINE vd modulo(vd a, vd b)
{
	/* Between two numbers of 24 bits: a is as large as b where it is larger than this. */
	const vd below = b * (1 - 0x1p-40);

	while (vmd_any(vd_lt(below, a)))
		a -= vd_trunc((vd)((vl)(a / b) & -0x2000000)) * b;
	return a;
}

/* An infinite |b| is a larger one than any |a|. */
ISK_INLINE vd denominator(vd b)
{
	return vd_min(vd_set1(0x1p200), vd_abs(b));
}

/* a, or NaN where there is no remainder. */
ISK_INLINE vd numerator(vd a, vd b)
{
	const vd nan = vd_set1((double)NAN);

	return vd_sel(vd_lt(a, vd_set1(0x1p1000)), vd_sel(vd_lt(vd_set1(0), b), a, nan), nan);
}

ISK_INLINE vd fmod_of(vd a, vd b)
{
	const vd x = vd_abs(a), y = denominator(b);

	return vd_copysign(modulo(numerator(x, y), y), a);
}

/* Of two quotients together 0, 1 or 2 is the nearest to the rest. */
ISK_INLINE vd remainder_of(vd a, vd b)
{
	const vd x = vd_abs(a), y = denominator(b), rest = modulo(numerator(x, y), y + y);
	const vd nearest = vd_sel(vd_lt(rest, y * 1.5), vd_sel(vd_lt(y * 0.5, rest), y, vd_set1(0)), y + y);

	return (vd)((vl)(rest - nearest) ^ ((vl)a & INT64_MIN));
}

ZIP(fmod, OF_BOTH(fmod_of, a, b))
ZIP(remainder, OF_BOTH(remainder_of, a, b))
