/* SPDX-License-Identifier: MIT */
/*
 * exp in lanes of f32 and of f64 over their whole range: vf_power() and vd_power(). Outside it both give 0 or
 * infinity; a NaN passes.
 *
 * In f64, x = n log(2) + r, with log(2) in two parts, the first of which has an exact product with n. The polynomial of
 * pow2.h, which is the same at every ISA, gives 2^(r log2(e)). The factor 2^n is applied in two steps, so that a
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

/* x = (n + r) log(2) with r from -1/2 to 1/2. */
struct in_twos {
	vd n, r;
};

/* For |n| up to 1076: log(2) has 42 bits here. */
ISK_INLINE struct in_twos in_twos(vd x)
{
	const vd n = vd_fma(x, vd_set1(LOG2_E_HIGH + LOG2_E_LOW), vd_set1(VD_ROUND)) - VD_ROUND;
	const vd high = vd_fma(n, vd_set1(-0x1.62e42fefa38p-1), x);

	return (struct in_twos){n, vd_fma(n, vd_set1(-0x1.ef35793c7673p-45), high) * (LOG2_E_HIGH + LOG2_E_LOW)};
}

ISK_INLINE vd vd_power(vd x)
{
	const struct in_twos t = in_twos(vd_min(vd_set1(710), vd_max(vd_set1(-746), x)));
	const vd half = t.n * 0.5 + VD_ROUND, rest = t.n - (half - VD_ROUND) + VD_ROUND;

	return vd_fma(vd_pow2m1_of_r(t.r), t.r, vd_set1(1)) * vd_scale(half) * vd_scale(rest);
}

#endif
