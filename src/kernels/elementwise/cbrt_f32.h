/* SPDX-License-Identifier: MIT */
/*
 * The bits of z, which is near 1 / cbrt(a), are a constant minus a third of the bits of a. The constant keeps
 * h = 1 - a z^3 within 0.103. The root is a z^2 (1 - h)^(-2/3). Since h is computed from the rounded a z^2, two thirds of
 * that rounding error are corrected. Constants: derive/cbrt.py.
 */
#ifndef ISK_CBRT_F32_H
#define ISK_CBRT_F32_H

#include "vec.h"

struct root {
	float bits;
	float steps[5]; /* ((1 - h)^(-2/3) - 1) / h */
};

static const struct root any_root __attribute__((unused)) = {
	0x54a1f580, {0x1.b745e6p-2f, 0x1.d58bbap-2f, 0x1.f9a654p-2f, 0x1.1c6f48p-1f, 0x1.555556p-1f},
};

/* cbrt(a) for a normal number a >= 0, or 0 */
ISK_INLINE vf vf_root(vf a, const struct root *root)
{
	const vf z = vi_float(vf_to_vi(vf_fma(vi_to_vf(vf_bits(a)), vf_set1(-1.0f / 3), vf_set1(root->bits))));
	const vf y = a * z * z, h = vf_fnma(y, z, vf_set1(1));
	vf p = vf_fma(vf_set1(root->steps[0]), h, vf_set1(root->steps[1]));

	p = vf_fma(p, h, vf_set1(root->steps[2]));
	p = vf_fma(p, h, vf_set1(root->steps[3]));
	p = vf_fma(p, h, vf_set1(root->steps[4]));
	return vf_fma(p, y * h, y);
}

#endif
