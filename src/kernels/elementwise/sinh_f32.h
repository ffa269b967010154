/* SPDX-License-Identifier: MIT */
/*
 * sinh and cosh of |x| = n ln 2 + r, without a quotient: with high = 2^(n - 2) and low = 2^(-n - 2)
 *
 *     sinh |x| = (high - low) 2 cosh(r) + (high + low) 2 sinh(r)
 *
 * and in cosh the sum and the difference are exchanged. Up to ln(2) / 2 the first term of sinh is 0, so that no digit is
 * lost near 0. high and low are quarters of powers, so that with fused multiply-add nothing overflows before the result
 * does. Constants: derive/sinh.sollya.
 */
#ifndef ISK_SINH_F32_H
#define ISK_SINH_F32_H

#include "vmath.h"

struct terms {
	vf high, twice_low, difference, sum;
	vf cosine, sine; /* 2 cosh(r) - 2, 2 sinh(r) */
};

/* From 89.5 on both are infinite; the clamp lets a NaN through. */
ISK_INLINE struct terms terms_of(vf x)
{
	const vf a = vf_min(vf_set1(89.5f), vf_abs(x));
	vf sum;
	const vf n = isk_exp_n(a, 125, &sum), r = isk_exp_r(a, n), w = r * r;
	const vi exponent = vf_bits(sum) << 23;
	/* If the exponent of low is below 0, these bits are a negative number, which becomes 0. */
	const vf high = vi_float(exponent), low = vf_max(vi_float((250 << 23) - exponent), vf_set1(0));
	vf s = vf_fma(vf_set1(0x1.a293a4p-12f), w, vf_set1(0x1.110fep-6f));
	vf c = vf_fma(vf_set1(0x1.6d53b2p-9f), w, vf_set1(0x1.5554e2p-4f));

	s = vf_fma(s, w, vf_set1(0x1.555556p-2f));
	c = vf_fma(c, w, vf_set1(1));
	return (struct terms){high, low + low, high - low, high + low, c * w, vf_fma(s, w * r, r + r)};
}

/* The largest term is exact, and is added last. */
ISK_INLINE vf sinh_of_terms(struct terms t)
{
	const vf less = vf_fma(t.sum, t.sine, t.difference * t.cosine);

	return vf_fma(t.difference, vf_set1(2), less);
}

/* Adds 2 * high last, not 2 * sum, because around 8 the sum would be rounded, by up to an ulp of the result. */
ISK_INLINE vf cosh_of_terms(struct terms t)
{
	const vf less = vf_fma(t.difference, t.sine, vf_fma(t.sum, t.cosine, t.twice_low));

	return vf_fma(t.high, vf_set1(2), less);
}

ISK_INLINE vf vf_sinh(vf x)
{
	return vf_copysign(sinh_of_terms(terms_of(x)), x);
}

ISK_INLINE vf vf_cosh(vf x)
{
	return cosh_of_terms(terms_of(x));
}

#endif
