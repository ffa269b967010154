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
#include "both.h"
#include "exp_lanes.h"
#include "normal_tail.h"

ISK_INLINE vd silu_slope_times(vd d, vd dy)
{
	const vd x = vd_max(vd_set1(-250), vd_min(vd_set1(250), d)), s = 1 / (vd_power(-x) + 1);

	return s * (x * (1 - s) + 1) * dy;
}

ISK_INLINE vd gelu_slope_times(vd d, vd dy)
{
	const vd a = vd_min(vd_set1(24), vd_abs(d)), e = vd_power(a * a * -0.5), x = vd_copysign(a, d);
	const vd tail = normal_tail(e, a);

	return vd_fma(x * 0x1.9884533d43651p-2, e, vd_sel(vd_lt(x, vd_set1(0)), tail, 1 - tail)) * dy;
}

ZIP(silu_backward, OF_BOTH(silu_slope_times, a, b))
ZIP(gelu_backward, OF_BOTH(gelu_slope_times, a, b))
