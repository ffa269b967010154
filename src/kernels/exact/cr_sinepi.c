/* SPDX-License-Identifier: MIT */
/*
 * sin(pi x) and cos(pi x), correctly rounded. What is left of x beside the nearest
 * integer is exact. Constants: derive/sine.sollya.
 */
#include "cr_sinepi_kernels.h"
#include "wide.h"

/* sin(pi r) on [-1/2, 1/2], with the sign of the lowest bit of n; a zero is +0. */
ISK_INLINE vd signed_sine(vd r, vd n)
{
	const vd w = r * r;
	vd p = vd_set1(0x1.9ccd1dd0fff34p-21);

	p = vd_fma(p, w, vd_set1(-0x1.6f76e6f9ddb1dp-16));
	p = vd_fma(p, w, vd_set1(0x1.e8f34d14e049dp-12));
	p = vd_fma(p, w, vd_set1(-0x1.e3074d9e363d8p-8));
	p = vd_fma(p, w, vd_set1(0x1.507834849b2bcp-4));
	p = vd_fma(p, w, vd_set1(-0x1.32d2cce62641fp-1));
	p = vd_fma(p, w, vd_set1(0x1.466bc6775aa4ap+1));
	p = vd_fma(p, w, vd_set1(-0x1.4abbce625be52p+2));
	p = vd_fma(p * w, r, r * 0x1.1a62633145c07p-53);
	return (vd)((vl)vd_fma(r, vd_set1(0x1.921fb54442d18p+1), p) ^ (vl)n << 63) + 0;
}

ISK_INLINE vd sinpi_of(vd d)
{
	const vd n = d + VD_ROUND;

	return signed_sine(d - (n - VD_ROUND), n);
}

/* cos(pi r) = sin(pi (1/2 - |r|)) */
ISK_INLINE vd cospi_of(vd d)
{
	const vd n = d + VD_ROUND;

	return signed_sine(0.5 - vd_abs(d - (n - VD_ROUND)), n);
}

/* |x|, but for even integers that are too large; NaN of infinities. */
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
