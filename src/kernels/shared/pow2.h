/* SPDX-License-Identifier: MIT */
/*
 * Powers of 2 in f64: 2^t = 2^n 2^r with n = round(t). t = d (high + low) for a d
 * of 24 bits. Constants: ../exact/derive/pow2.sollya.
 *
 * On ISAs with tables of 16 numbers in two registers, t counts sixteenths, so that a
 * polynomial of half the length is enough (exp of 4096 elements takes .8 times the time,
 * Zen 4).
 */
#ifndef ISK_POW2_H
#define ISK_POW2_H

#include "wide.h"

#define LOG2_E_HIGH  0x1.7154765p+0
#define LOG2_E_LOW   0x1.5c17f0bbbe88p-31
#define LOG2_10_HIGH 0x1.a934f09p+1
#define LOG2_10_LOW  0x1.e68dc57f2496p-29

#if VL == 16
#define STEPS 16
#else
#define STEPS 1
#endif

struct pow2 {
	vd sum; /* n + VD_ROUND */
	vd r;
};

ISK_INLINE struct pow2 vd_split(vd d, const double high, const double low)
{
	const vd sum = vd_fma(d, vd_set1(high + low), vd_set1(VD_ROUND));

	return (struct pow2){sum, vd_mul_minus(d, high, low, sum - VD_ROUND)};
}

/* 2^n */
ISK_INLINE vd vd_scale(vd sum)
{
	return (vd)(((vl)sum << 52) + ((int64_t)1023 << 52));
}

/* (2^r - 1) / r on [-1/2, 1/2]; relative error 2^-54.3. */
ISK_INLINE vd vd_pow2m1_of_r(vd r)
{
	vd p = vd_set1(0x1.eb5b6a959cbd2p-32);

	p = vd_fma(p, r, vd_set1(0x1.e605598ec43f1p-28));
	p = vd_fma(p, r, vd_set1(0x1.b523dc198627p-24));
	p = vd_fma(p, r, vd_set1(0x1.62bfd4fe3f702p-20));
	p = vd_fma(p, r, vd_set1(0x1.ffcbfd018026p-17));
	p = vd_fma(p, r, vd_set1(0x1.430913093a129p-13));
	p = vd_fma(p, r, vd_set1(0x1.5d87fe7880442p-10));
	p = vd_fma(p, r, vd_set1(0x1.3b2ab6fba1ee3p-7));
	p = vd_fma(p, r, vd_set1(0x1.c6b08d704a1acp-5));
	p = vd_fma(p, r, vd_set1(0x1.ebfbdff82c598p-3));
	return vd_fma(p, r, vd_set1(0x1.62e42fefa39efp-1));
}

/* From ../exact/derive/pow2_table.py: entry j plus (16 n + j) 2^48 is the bits of 2^(n + j/16). */
static const int64_t steps_of_2[16] = {
	0x3ff0000000000000, 0x3fefb5586cf9890f, 0x3fef72b83c7d517b, 0x3fef387a6e756238,
	0x3fef06fe0a31b715, 0x3feedea64c123422, 0x3feebfdad5362a27, 0x3feeab07dd485429,
	0x3feea09e667f3bcd, 0x3feea11473eb0187, 0x3feeace5422aa0db, 0x3feec49182a3f090,
	0x3feee89f995ad3ad, 0x3fef199bdd85529c, 0x3fef5818dcfba487, 0x3fefa4afa2a490da,
};

#if STEPS == 16

/* 2^(t/16) = 2^(n/16) (1 + r p(r)) */
ISK_INLINE vd vd_pow2(struct pow2 s)
{
	const vd step = (vd)((vl)vd_lookup16((const double *)steps_of_2, (vl)s.sum) + ((vl)s.sum << 48));
	vd p = vd_set1(0x1.430a9bf2d2e22p-37);

	p = vd_fma(p, s.r, vd_set1(0x1.5d89bd5f0682p-30));
	p = vd_fma(p, s.r, vd_set1(0x1.3b2ab6fa94006p-23));
	p = vd_fma(p, s.r, vd_set1(0x1.c6b08d6e8cd13p-17));
	p = vd_fma(p, s.r, vd_set1(0x1.ebfbdff82c59dp-11));
	p = vd_fma(p, s.r, vd_set1(0x1.62e42fefa39fdp-5));
	return vd_fma(step * s.r, p, step);
}

#else

/* 2^n (1 + r p(r)) */
ISK_INLINE vd vd_pow2(struct pow2 s)
{
	const vd power = vd_fma(vd_pow2m1_of_r(s.r), s.r, vd_set1(1));

	return (vd)((vl)power + ((vl)s.sum << 52));
}

#endif

/* 2^t - 1 = 2^n r p(r) + (2^n - 1). The second term is exact wherever the first counts, so no digit is lost near 0. */
ISK_INLINE vd vd_pow2m1(struct pow2 s)
{
	const vd scale = vd_scale(s.sum);

	return vd_fma(vd_pow2m1_of_r(s.r) * s.r, scale, scale - 1);
}

ISK_INLINE vd vd_exp(vd d)
{
	return vd_pow2(vd_split(d, STEPS * LOG2_E_HIGH, STEPS * LOG2_E_LOW));
}

/* exp(d) by the same series at every width, for results whose bits the table could change. */
ISK_INLINE vd vd_exp_by_series(vd d)
{
	const struct pow2 s = vd_split(d, LOG2_E_HIGH, LOG2_E_LOW);
	const vd scale = vd_scale(s.sum);

	return vd_fma(vd_pow2m1_of_r(s.r) * s.r, scale, scale);
}

ISK_INLINE vd vd_expm1(vd d)
{
	return vd_pow2m1(vd_split(d, LOG2_E_HIGH, LOG2_E_LOW));
}

#endif
