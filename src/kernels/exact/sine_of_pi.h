/* SPDX-License-Identifier: MIT */
/* The sine of pi r in f64, with an error of about 2^-52. Constants: derive/sine.sollya. */
#ifndef ISK_SINE_OF_PI_H
#define ISK_SINE_OF_PI_H

#include "wide.h"

/* sin(pi r) on [-1/2, 1/2], with the sign of the lowest bit of n; a zero is +0. */
ISK_INLINE vd signed_sinpi(vd r, vd n)
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

#endif
