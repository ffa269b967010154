/* SPDX-License-Identifier: MIT */
/*
 * Gradients of silu and gelu, times dy, in f64 lanes: each has a zero that is no f32, and what is left there
 * of a difference near 1 keeps 27 bits. Both are clamped where times any f32 they have become 0.
 *
 * gelu' = Phi + x phi with Phi(-a) = exp(-a^2 / 2) P(a) / Q(a) as in cr_gelu.c, whose range ends at 14.5:
 * beyond it Phi is less than 1/200 of the other term. Worst errors found, in ulp of f32: 0.5 of either, which
 * is half a denormal.
 */
#include "gradients_kernels.h"
#include "exp_lanes.h"

ISK_INLINE vd silu_slope(vd d)
{
	const vd x = vd_max(vd_set1(-250), vd_min(vd_set1(250), d)), s = 1 / (vd_power(-x) + 1);

	return s * (x * (1 - s) + 1);
}

/* Constants: ../exact/derive/gelu_wide.py. */
ISK_INLINE vd gelu_slope(vd d)
{
	const vd a = vd_min(vd_set1(24), vd_abs(d)), e = vd_power(a * a * -0.5), x = vd_copysign(a, d);
	vd p = vd_set1(0x1.8b1093f3d3f66p-21), q = vd_set1(0x1.ef23e72b5b4f2p-20), tail;

	p = vd_fma(p, a, vd_set1(0x1.70d38ac61b242p-16));
	p = vd_fma(p, a, vd_set1(0x1.4b481350564cap-12));
	p = vd_fma(p, a, vd_set1(0x1.74ab5f339932ap-9));
	p = vd_fma(p, a, vd_set1(0x1.20150400277f6p-6));
	p = vd_fma(p, a, vd_set1(0x1.3d01c71a11782p-4));
	p = vd_fma(p, a, vd_set1(0x1.f17eff9b5f065p-3));
	p = vd_fma(p, a, vd_set1(0x1.0e03c0c3815aap-1));
	p = vd_fma(p, a, vd_set1(0x1.74780fc1ec5ddp-1));
	p = vd_fma(p, a, vd_set1(0x1p-1));
	q = vd_fma(q, a, vd_set1(0x1.ce4158bed6961p-15));
	q = vd_fma(q, a, vd_set1(0x1.a02abb2161b53p-11));
	q = vd_fma(q, a, vd_set1(0x1.d6aee6b1b8p-8));
	q = vd_fma(q, a, vd_set1(0x1.6f83c2654ad4ep-5));
	q = vd_fma(q, a, vd_set1(0x1.9bade9278fc76p-3));
	q = vd_fma(q, a, vd_set1(0x1.4d865eafe9c7fp-1));
	q = vd_fma(q, a, vd_set1(0x1.80905848e7d47p+0));
	q = vd_fma(q, a, vd_set1(0x1.2d169a2137eddp+1));
	q = vd_fma(q, a, vd_set1(0x1.205d1cb047083p+1));
	q = vd_fma(q, a, vd_set1(1));
	tail = e * p / q;
	return vd_fma(x * 0x1.9884533d43651p-2, e, vd_sel(vd_lt(x, vd_set1(0)), tail, 1 - tail));
}

#define TIMES(slope, x, dy)                                                                                  \
	vd_halves(slope(vf_low_half(x)) * vf_low_half(dy), slope(vf_high_half(x)) * vf_high_half(dy))

ZIP(silu_backward, TIMES(silu_slope, a, b))
ZIP(gelu_backward, TIMES(gelu_slope, a, b))
