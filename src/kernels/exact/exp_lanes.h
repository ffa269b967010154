/* SPDX-License-Identifier: MIT */
/*
 * exp in lanes of f32 and of f64 over their whole range: vf_power() and vd_power(), of which both give 0 or
 * infinity outside it and let a NaN through.
 *
 * In f64 x = n log(2) + r, with log(2) in two parts of which n times the first is exact, and 2^(r log2(e)) by
 * the polynomial of pow2.h, which is the same at every ISA. 2^n is multiplied in two steps, so that a
 * denormal result is rounded once. Worst error of vd_power() found: 1.10 ulp at -0x1.bf0e925d58962p+7, at
 * baseline 1.32 at -0x1.fc974271b77cp+2.
 */
#ifndef ISK_EXP_LANES_H
#define ISK_EXP_LANES_H

#include "pow2.h"
#include "vmath.h"

ISK_INLINE vf vf_power(vf x)
{
	return vf_exp(x);
}

/* |n| is 1076 at most, and log(2) to 42 bits here. */
ISK_INLINE vd vd_power(vd x)
{
	const vd between = vd_min(vd_set1(710), vd_max(vd_set1(-746), x));
	const vd n = vd_fma(between, vd_set1(LOG2_E_HIGH + LOG2_E_LOW), vd_set1(VD_ROUND)) - VD_ROUND;
	const vd high = vd_fma(n, vd_set1(-0x1.62e42fefa38p-1), between);
	const vd r = vd_fma(n, vd_set1(-0x1.ef35793c7673p-45), high) * (LOG2_E_HIGH + LOG2_E_LOW);
	const vd half = n * 0.5 + VD_ROUND, rest = n - (half - VD_ROUND) + VD_ROUND;

	return vd_fma(vd_pow2m1_of_r(r), r, vd_set1(1)) * vd_scale(half) * vd_scale(rest);
}

#endif
