/* SPDX-License-Identifier: MIT */
/*
 * Powers of 2 in f64: 2^t = 2^n 2^r with n = round(t). t = d (high + low) for a d
 * of 24 bits. Constants: derive/pow2.sollya.
 */
#ifndef ISK_POW2_H
#define ISK_POW2_H

#include "wide.h"

/* Adding it to a number below 2^51 rounds that to an integer, which is then in the low bits. */
#define VD_ROUND 0x1.8p52

#define LOG2_E_HIGH  0x1.7154765p+0
#define LOG2_E_LOW   0x1.5c17f0bbbe88p-31
#define LOG2_10_HIGH 0x1.a934f09p+1
#define LOG2_10_LOW  0x1.e68dc57f2496p-29

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

/* 2^n (1 + r p(r)) */
ISK_INLINE vd vd_pow2(struct pow2 s)
{
	const vd power = vd_fma(vd_pow2m1_of_r(s.r), s.r, vd_set1(1));

	return (vd)((vl)power + ((vl)s.sum << 52));
}

/* 2^t - 1 = 2^n r p(r) + (2^n - 1), whose second term is exact wherever the first counts: no digit is lost near 0. */
ISK_INLINE vd vd_pow2m1(struct pow2 s)
{
	const vd scale = vd_scale(s.sum);

	return vd_fma(vd_pow2m1_of_r(s.r) * s.r, scale, scale - 1);
}

ISK_INLINE vd vd_exp(vd d)
{
	return vd_pow2(vd_split(d, LOG2_E_HIGH, LOG2_E_LOW));
}

ISK_INLINE vd vd_expm1(vd d)
{
	return vd_pow2m1(vd_split(d, LOG2_E_HIGH, LOG2_E_LOW));
}

#endif
