/* SPDX-License-Identifier: MIT */
/*
 * Gradients of silu and gelu, times dy, in f64 lanes. Each gradient has a zero that is no f32, near which the
 * difference of two terms keeps 27 bits. Arguments are clamped where the gradient times any f32 is 0, or where it is 1.
 *
 * gelu' = Phi + x phi with Phi(-a) = exp(-a^2 / 2) P(a) / Q(a) as in cr_gelu.c, whose range ends at 14.5; beyond that,
 * Phi is less than 1/200 of the other term. Worst error found of both: 0.5 ulp of f32, which is half the least
 * denormal.
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
