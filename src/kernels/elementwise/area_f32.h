/* SPDX-License-Identifier: MIT */
/* Inverse hyperbolic functions of a = |x|, by log(1 + x). */
#ifndef ISK_AREA_F32_H
#define ISK_AREA_F32_H

#include "log_lanes.h"

/*
 * log(a + sqrt(a^2 + 1)) = log(1 + a + a b / (1 + sqrt(b^2 + 1))) with b = a. Squares from 2^60 on might overflow, so b
 * is at most 2^60; the quotient is 1 for all such b.
 */
ISK_INLINE vf vf_asinh(vf a)
{
	const vf b = vf_min(a, vf_set1(0x1p60f));

	return vf_ln_1p(vf_fma(a, b / (vf_sqrt(vf_fma(b, b, vf_set1(1))) + 1), a));
}

/* log(a + sqrt(a^2 - 1)) = log(1 + b + sqrt(b^2 + 2 b)) with b = a - 1. An infinite root becomes a. */
ISK_INLINE vf vf_acosh(vf a)
{
	const vf b = a - 1;

	return vf_ln_1p(b + vf_min(vf_sqrt(vf_fma(b, b, b + b)), a));
}

/* log((1 + a) / (1 - a)) / 2 */
ISK_INLINE vf vf_atanh(vf a)
{
	return vf_ln_1p((a + a) / (1 - a)) * 0.5f;
}

#endif
