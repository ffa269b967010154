/* SPDX-License-Identifier: MIT */
/*
 * atan in f64: for |x| from 0 to tan(pi/8) by a polynomial, from there to
 * tan(3 pi/8) as pi/4 + atan((x - 1) / (x + 1)), above as pi/2 - atan(1 / x).
 * Constants: derive/atan.sollya.
 */
#ifndef ISK_ARCTAN_H
#define ISK_ARCTAN_H

#include "wide.h"

#define TAN_8TH     0x1.a827999fcef32p-2
#define TAN_3_8     0x1.3504f333f9de6p+1
#define QUARTER     0x1.921fb54442d18p-1
#define QUARTER_LOW 0x1.1a62633145c07p-55

/* atan(d) for d = |x| */
ISK_INLINE vd atan_of(vd d)
{
	const vmd is_small = vd_lt(d, vd_set1(TAN_8TH)), is_middling = vd_lt(d, vd_set1(TAN_3_8));
	const vd zero = vd_set1(0), one = vd_set1(1);
	const vd times = vd_sel(is_small, zero, vd_sel(is_middling, one, vd_set1(2))); /* factor of pi/4 */
	const vd over = vd_sel(is_small, d, vd_sel(is_middling, d - 1, -one));
	const vd t = over / vd_sel(is_small, one, vd_sel(is_middling, d + 1, d)), w = t * t;
	const vd high = times * QUARTER, sum = high + t;
	vd p = vd_set1(-0x1.86175d5955881p-7);

	p = vd_fma(p, w, vd_set1(0x1.d0e57166d7df7p-6));
	p = vd_fma(p, w, vd_set1(-0x1.47066cde7e51p-5));
	p = vd_fma(p, w, vd_set1(0x1.7ff0d8f20e1bbp-5));
	p = vd_fma(p, w, vd_set1(-0x1.ae3cd32f70242p-5));
	p = vd_fma(p, w, vd_set1(0x1.e1c89ee6ee423p-5));
	p = vd_fma(p, w, vd_set1(-0x1.11101865120c3p-4));
	p = vd_fma(p, w, vd_set1(0x1.3b13a3ac40fb7p-4));
	p = vd_fma(p, w, vd_set1(-0x1.745d16c306754p-4));
	p = vd_fma(p, w, vd_set1(0x1.c71c71c3da30ap-4));
	p = vd_fma(p, w, vd_set1(-0x1.249249248bea1p-3));
	p = vd_fma(p, w, vd_set1(0x1.99999999998c5p-3));
	p = vd_fma(p, w, vd_set1(-0x1.5555555555555p-2));
	return sum + (high - sum + t + vd_fma(p, t * w, times * QUARTER_LOW));
}

#endif
