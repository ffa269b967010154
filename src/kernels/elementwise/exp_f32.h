/* SPDX-License-Identifier: MIT */
/*
 * 2^x and 10^x are 2^n b^r with a polynomial of r; r is exact for base 2 and rounded once for 10. e^x - 1 is
 * 2^n (e^r - 1 + (1 - 2^-n)), so that no digit is lost near 0. Constants: derive/powers.sollya.
 */
#ifndef ISK_EXP_F32_H
#define ISK_EXP_F32_H

#include "vmath.h"

/* Outside -151..129 the result is 0 or infinite; the clamp lets a NaN through. */
ISK_INLINE vf vf_exp2(vf x)
{
	const vf between = vf_min(vf_set1(129), vf_max(vf_set1(-151), x));
	const vf sum = between + VF_ROUND(VF_BIAS), r = between - (sum - VF_ROUND(VF_BIAS));
	vf p = vf_fma(vf_set1(0x1.427932p-13f), r, vf_set1(0x1.5ef4acp-10f));

	p = vf_fma(p, r, vf_set1(0x1.3b2c58p-7f));
	p = vf_fma(p, r, vf_set1(0x1.c6af9ep-5f));
	p = vf_fma(p, r, vf_set1(0x1.ebfbdep-3f));
	p = vf_fma(p, r, vf_set1(0x1.62e43p-1f));
	return vf_scale2(vf_fma(p, r, vf_set1(1)), sum);
}

/* Outside -46..39 the result is 0 or infinite; the clamp lets a NaN through. */
ISK_INLINE vf vf_exp10(vf x)
{
	const vf between = vf_min(vf_set1(39), vf_max(vf_set1(-46), x));
	const vf sum = vf_fma(between, vf_set1(0x1.a934fp1f), vf_set1(VF_ROUND(VF_BIAS))), n = sum - VF_ROUND(VF_BIAS);
	const vf r = vf_fnma(n, vf_set1(0x1.3509f8p-18f), vf_fnma(n, vf_set1(0x1.344p-2f), between));
	vf p = vf_fma(vf_set1(0x1.a864a8p-3f), r, vf_set1(0x1.155f16p-1f));

	p = vf_fma(p, r, vf_set1(0x1.2bd7cap0f));
	p = vf_fma(p, r, vf_set1(0x1.046faap1f));
	p = vf_fma(p, r, vf_set1(0x1.53524cp1f));
	p = vf_fma(p, r, vf_set1(0x1.26bb1cp1f));
	return vf_scale2(vf_fma(p, r, vf_set1(1)), sum);
}

/* From -18 down the result is -1. For n > 30, 1 - 2^-n rounds to 1, so n is capped at 30 in `inverse`. */
ISK_INLINE vf vf_expm1(vf x)
{
	const vf between = vf_min(vf_set1(89), vf_max(vf_set1(-18), x));
	vf sum;
	const vf n = isk_exp_n(between, VF_BIAS, &sum), e = isk_expm1_small(isk_exp_r(between, n));
	const vf inverse = vi_float(vf_bits(VF_ROUND(127) - vf_min(n, vf_set1(30))) << 23);

	return vf_copysign(vf_scale2(e + (1 - inverse), sum), x);
}

#endif
