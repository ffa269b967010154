/* SPDX-License-Identifier: MIT */
/*
 * cbrt. The bits of z, which is near 1 / cbrt(a) for a = |x|, are a constant minus a third of the bits of a. The
 * constant keeps h = 1 - a z^3 within 0.103. The root is a z^2 (1 - h)^(-2/3). Since h is computed from the rounded
 * a z^2, two thirds of that rounding error are corrected. Constants: derive/cbrt.py. Worst errors over all 2^32 inputs:
 * 1.1831 ulp at 0x1.c265f8p-1 from avx2 up, 1.6003 at 0x1.39280cp-127 at baseline.
 */
#include "cbrt_kernels.h"
#include "loops.h"

/* cbrt(a) for a normal number a >= 0, or 0 */
ISK_INLINE vf root_of(vf a)
{
	const vf z = vi_float(vf_to_vi(vf_fma(vi_to_vf(vf_bits(a)), vf_set1(-1.0f / 3), vf_set1(0x54a1f580))));
	const vf y = a * z * z, h = vf_fnma(y, z, vf_set1(1));
	vf p = vf_fma(vf_set1(0x1.b745e6p-2f), h, vf_set1(0x1.d58bbap-2f));

	p = vf_fma(p, h, vf_set1(0x1.f9a654p-2f));
	p = vf_fma(p, h, vf_set1(0x1.1c6f48p-1f));
	p = vf_fma(p, h, vf_set1(0x1.555556p-1f));
	return vf_fma(p, y * h, y);
}

/* An infinity or a NaN is its own root. */
ISK_INLINE vf cbrt_of(vf x)
{
	const vf a = vf_abs(x);
	const vm is_denormal = vf_lt(a, vf_set1(0x1p-126f));
	const vf y = root_of(vf_sel(is_denormal, a * 0x1p24f, a));
	const vf root = vf_copysign(vf_sel(is_denormal, y * 0x1p-8f, y), x);

	return vf_sel(vf_lt(a, vf_set1(__builtin_inff())), root, x);
}

MAP(cbrt, cbrt_of(x))
