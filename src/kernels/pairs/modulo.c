/* SPDX-License-Identifier: MIT */
/*
 * fmod and remainder, exact, in f64 lanes. |a| and |b| have 24 bits. With q = |a| / |b|,
 * truncated to 28 bits, q |b| has at most 52 bits, and |a| - q |b| is a multiple of the last
 * bit of both and less than 2^24 of these, so that it is again a number of 24 bits, 2^27
 * times as small. The rounded quotient is truncated correctly: if rounding had moved it up
 * to a number of 28 bits, |a| and q |b| would differ by less than the last bit of either.
 * Only the quotient is rounded, so that FMA makes no difference.
 */
#include "modulo_kernels.h"

#include <math.h>

#include "both.h"
#include "loops.h"

/* a modulo b for a finite a >= 0 and b > 0; NaN if a is NaN */
ISK_INLINE vd modulo(vd a, vd b)
{
	/* A number between two of 24 bits: a >= b if and only if a is above it. */
	const vd below = b * (1 - 0x1p-40);

	while (vmd_any(vd_lt(below, a)))
		a -= vd_trunc((vd)((vl)(a / b) & -0x2000000)) * b;
	return a;
}

/* |b|, or a finite number larger than any finite |a| if b is infinite */
ISK_INLINE vd denominator(vd b)
{
	return vd_min(vd_set1(0x1p200), vd_abs(b));
}

/* a, or NaN if there is no remainder: a is infinite, or b is 0 or NaN */
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

/* The rest modulo 2 |b| minus its nearest multiple of |b|, which is 0, |b| or 2 |b|; ties go to the even multiple. */
ISK_INLINE vd remainder_of(vd a, vd b)
{
	const vd x = vd_abs(a), y = denominator(b), rest = modulo(numerator(x, y), y + y);
	const vd nearest = vd_sel(vd_lt(rest, y * 1.5), vd_sel(vd_lt(y * 0.5, rest), y, vd_set1(0)), y + y);

	return (vd)((vl)(rest - nearest) ^ ((vl)a & INT64_MIN));
}

ZIP(fmod, OF_BOTH(fmod_of, a, b))
ZIP(remainder, OF_BOTH(remainder_of, a, b))
