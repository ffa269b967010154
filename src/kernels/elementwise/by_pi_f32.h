/* SPDX-License-Identifier: MIT */
/*
 * The reduction r = a - n pi of f32 arguments below 2^16, on ISAs with fused multiply-add. The first of the three steps
 * to r is exact, and the others are rounded to the precision of r. n is an integer, or an integer and a half, in
 * units of step, which is 1 or 1/2; the lowest bit of sum is that of n. Constants: derive/sine.sollya.
 */
#ifndef ISK_BY_PI_F32_H
#define ISK_BY_PI_F32_H

#include "vec.h"

struct by_pi_f32 {
	vf r, sum;
};

/* half, which is 0 or .5, is subtracted before rounding to an integer and added afterwards. */
ISK_INLINE struct by_pi_f32 by_pi_f32(vf a, const float half, const float step)
{
	const vf bias = vf_set1(VF_ROUND(2 * half) * step);
	const vf sum = half ? vf_fma(a, vf_set1(0x1.45f306p-2f), vf_set1(-half)) + bias
	                    : vf_fma(a, vf_set1(0x1.45f306p-2f), bias);
	const vf n = half ? sum - bias + half : sum - bias;
	const vf first = vf_fnma(n, vf_set1(0x1.921fb6p1f), a);

	return (struct by_pi_f32){vf_fma(n, vf_set1(0x1.ee59dap-49f), vf_fma(n, vf_set1(0x1.777a5cp-24f), first)), sum};
}

#endif
