/* SPDX-License-Identifier: MIT */
/*
 * Inverse circular functions: atan by a polynomial up to 1, above as pi/2 - atan(1 / x); asin by a polynomial up to
 * 1/2, above as pi/2 - 2 asin(sqrt((1 - x) / 2)), in which 1 - x is exact; acos with the same asin.
 * Constants: derive/arc.sollya.
 */
#ifndef ISK_ARC_F32_H
#define ISK_ARC_F32_H

#include "vec.h"

#define HALF_PI_F32 0x1.921fb6p0f

/* atan(a) for a = |x| */
ISK_INLINE vf vf_atan(vf a)
{
	const vm is_large = vf_gt(a, vf_set1(1));
	const vf t = vf_sel(is_large, vf_set1(-1), a) / vf_sel(is_large, a, vf_set1(1)), w = t * t;
	vf p = vf_fma(vf_set1(0x1.7ec1c4p-9f), w, vf_set1(-0x1.0c23fep-6f));

	p = vf_fma(p, w, vf_set1(0x1.61f756p-5f));
	p = vf_fma(p, w, vf_set1(-0x1.3553f4p-4f));
	p = vf_fma(p, w, vf_set1(0x1.b4dfdcp-4f));
	p = vf_fma(p, w, vf_set1(-0x1.230abp-3f));
	p = vf_fma(p, w, vf_set1(0x1.9978eep-3f));
	p = vf_fma(p, w, vf_set1(-0x1.5554dcp-2f));
	return vf_sel(is_large, vf_set1(HALF_PI_F32), vf_set1(0)) + vf_fma(p, w * t, t);
}

/* asin(a) for a <= 1/2, asin(sqrt((1 - a) / 2)) if is_large. */
ISK_INLINE vf half_asin(vf a, vm is_large)
{
	const vf w = vf_sel(is_large, (1 - a) * 0.5f, a * a), s = vf_sel(is_large, vf_sqrt(w), a);
	vf p = vf_fma(vf_set1(0x1.5959aap-5f), w, vf_set1(0x1.8c415ap-6f));

	p = vf_fma(p, w, vf_set1(0x1.747b72p-5f));
	p = vf_fma(p, w, vf_set1(0x1.330206p-4f));
	p = vf_fma(p, w, vf_set1(0x1.5555c8p-3f));
	return vf_fma(p, w * s, s);
}

ISK_INLINE vf vf_asin(vf a)
{
	const vm is_large = vf_gt(a, vf_set1(0.5f));
	const vf y = half_asin(a, is_large);

	return vf_sel(is_large, vf_fnma(y, vf_set1(2), vf_set1(HALF_PI_F32)), y);
}

ISK_INLINE vf vf_acos(vf x)
{
	const vf a = vf_abs(x);
	const vm is_large = vf_gt(a, vf_set1(0.5f));
	const vf end = vf_sel(vf_lt(x, vf_set1(0)), vf_set1(2 * HALF_PI_F32), vf_set1(0));
	const vf start = vf_sel(is_large, end, vf_set1(HALF_PI_F32));
	const vi sign = vf_bits(x) & INT32_MIN;

	return vf_fma(half_asin(a, is_large), vi_float(vf_bits(vf_sel(is_large, vf_set1(2), vf_set1(-1))) ^ sign), start);
}

#endif
