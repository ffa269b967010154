/* SPDX-License-Identifier: MIT */
/*
 * sin(pi x) and cos(pi x), correctly rounded. The difference of x and the nearest integer is
 * exact.
 */
#include "cr_sinepi_kernels.h"
#include "sine_of_pi.h"

ISK_INLINE vd sinpi_of(vd d)
{
	const vd n = d + VD_ROUND;

	return signed_sinpi(d - (n - VD_ROUND), n);
}

/* cos(pi r) = sin(pi (1/2 - |r|)) */
ISK_INLINE vd cospi_of(vd d)
{
	const vd n = d + VD_ROUND;

	return signed_sinpi(0.5 - vd_abs(d - (n - VD_ROUND)), n);
}

/* |x|, but at most 2^25, since larger numbers are even integers; NaN for infinities */
ISK_INLINE vf moderate(vf x)
{
	return vf_min(vf_set1(0x1p25f), vf_abs(x)) + (x - x);
}

#define SINPI(WIDE, x) ((vf)((vi)WIDE(sinpi_of, moderate(x)) ^ ((vi)(x) & INT32_MIN)))
#define COSPI(WIDE, x) WIDE(cospi_of, moderate(x))

MAP(cr_sinpi, SINPI(WIDE, x))
MAP(sinpi, SINPI(WIDE_TO_ODD, x))
MAP(cr_cospi, COSPI(WIDE, x))
MAP(cospi, COSPI(WIDE_TO_ODD, x))
