/* SPDX-License-Identifier: MIT */
/*
 * tan: r = |x| - n pi/2, and tan(r) = r P(w) / Q(w) with w = r^2; for odd n, the result is the negative inverse, so that
 * one quotient serves both. Constants: derive/tan.py.
 */
#ifndef ISK_TAN_F32_H
#define ISK_TAN_F32_H

#include "by_pi_f32.h"

/* tan(x) for |x| below 2^16 */
ISK_INLINE vf vf_tan(vf x)
{
	const struct by_pi_f32 t = by_pi_f32(vf_abs(x), 0, 0.5f);
	const vf w = t.r * t.r;
	const vi odd = (vi)t.sum << 31;
	const vm is_odd = vi_gt(vi_set1(0), odd);
	const vf p = vf_fma(w * t.r, vf_set1(-0x1.885156p-4f), t.r);
	const vf q = vf_fma(vf_fma(vf_set1(0x1.3e2742p-7f), w, vf_set1(-0x1.b769ccp-2f)), w, vf_set1(1));

	return vi_float(vf_bits(vf_sel(is_odd, q, p) / vf_sel(is_odd, p, q)) ^ (odd ^ (vf_bits(x) & INT32_MIN)));
}

#endif
