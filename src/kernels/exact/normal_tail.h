/* SPDX-License-Identifier: MIT */
/*
 * The tail of the normal distribution in f64: Phi(-a) = exp(-a^2 / 2) P(a) / Q(a)
 * for a from 0 to 14.5. Constants: derive/gelu_wide.py.
 */
#ifndef ISK_NORMAL_TAIL_H
#define ISK_NORMAL_TAIL_H

#include "pow2.h"

/* Splits a t of 48 bits. Without FMA, n log(2) is subtracted first, in two parts; the first difference is exact. */
ISK_INLINE struct pow2 split_long(vd t)
{
#if ISK_FMA
	return vd_split(t, STEPS * LOG2_E_HIGH, STEPS * LOG2_E_LOW);
#else
	const vd sum = t * (LOG2_E_HIGH + LOG2_E_LOW) + VD_ROUND, n = sum - VD_ROUND;

	return (struct pow2){sum, (t - n * 0x1.62e42fefa38p-1 - n * 0x1.ef35793c7673p-45) *
	                              (LOG2_E_HIGH + LOG2_E_LOW)};
#endif
}

/* factor P(a) / Q(a) */
ISK_INLINE vd normal_tail(vd factor, vd a)
{
	vd p = vd_set1(0x1.8b1093f3d3f66p-21), q = vd_set1(0x1.ef23e72b5b4f2p-20);

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
	return factor * p / q;
}

#endif
