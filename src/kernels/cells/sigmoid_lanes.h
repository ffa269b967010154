/* SPDX-License-Identifier: MIT */
/*
 * Sigmoid and hyperbolic tangent in lanes of f64, by the methods of vmath.h: with
 * e = 2^r - 1, numerator and denominator round once, and 1 - z keeps its relative accuracy
 * down to 0. Worst errors found: sigmoid 2.43 ulp at -0x1.5aba04afde0f3p+1, tanh 3.25 at
 * -0x1.dbbb79086a360p-4, at baseline 3.36 at 0x1.e196b438e9d02p-4; in units of eps times the
 * result, 3.3 and 4.0.
 */
#ifndef ISK_SIGMOID_LANES_H
#define ISK_SIGMOID_LANES_H

#include "exp_lanes.h"

/* tanh(x); from 20 on it is 1. */
ISK_INLINE vd vd_tanh(vd x)
{
	const struct in_twos t = in_twos(vd_min(vd_set1(20), vd_abs(x)) * -2);
	const vd e = vd_pow2m1_of_r(t.r) * t.r, scale = vd_scale(t.n + VD_ROUND);

	return vd_copysign(vd_fma(e, scale, scale - 1) / vd_fma(e, scale, scale + 1), x);
}

/*
 * 1 / (1 + z) with z = exp(-|x|), or z / (1 + z) for negative x. Numerator and denominator are times 2^64, so that
 * 2^64 z is never denormal.
 */
ISK_INLINE vd vd_sigmoid(vd x)
{
	const struct in_twos t = in_twos(vd_max(vd_set1(-746), -vd_abs(x)));
	const vd e = vd_pow2m1_of_r(t.r) * t.r, scale = vd_scale(t.n + (VD_ROUND + 64));

	return vd_sel(vd_lt(x, vd_set1(0)), vd_fma(e, scale, scale), vd_set1(0x1p64)) / vd_fma(e, scale, scale + 0x1p64);
}

#endif
