/* SPDX-License-Identifier: MIT */
/*
 * tan: r = |x| - n pi/2, and tan(r) = r P(w) / Q(w) with w = r^2; for odd n, the result is the negative inverse, so that
 * one quotient serves both. The correctly rounded kernel computes arguments from 2^16 on, and everything on ISAs without
 * fused multiply-add. Constants: derive/tan.py. Worst error over all 2^32 inputs, from avx2 up: 3.2656 ulp at
 * 0x1.80d802p+7.
 */
#include "tan_kernels.h"
#include "by_pi_f32.h"
#include "exactly.h"

/* tan(x) for |x| below 2^16 */
ISK_INLINE vf small_tan(vf x)
{
	const struct by_pi_f32 t = by_pi_f32(vf_abs(x), 0, 0.5f);
	const vf w = t.r * t.r;
	const vi odd = (vi)t.sum << 31;
	const vm is_odd = vi_gt(vi_set1(0), odd);
	const vf p = vf_fma(w * t.r, vf_set1(-0x1.885156p-4f), t.r);
	const vf q = vf_fma(vf_fma(vf_set1(0x1.3e2742p-7f), w, vf_set1(-0x1.b769ccp-2f)), w, vf_set1(1));

	return vi_float(vf_bits(vf_sel(is_odd, q, p) / vf_sel(is_odd, p, q)) ^ (odd ^ (vf_bits(x) & INT32_MIN)));
}

MAP_BY_FMA_WHERE(tan, cr_tan_f32, vf_lt(vf_abs(x), vf_set1(0x1p16f)), small_tan(x))
