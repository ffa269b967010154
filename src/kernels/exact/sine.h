/* SPDX-License-Identifier: MIT */
/*
 * sin and cos of f32 arguments in f64, with an error of about 2^-52: r = |x| - n pi, and
 * cos(x) is the sine of x + pi/2. Constants: derive/sine.sollya.
 */
#ifndef ISK_SINE_H
#define ISK_SINE_H

#include "by_pi.h"

/* sin(r) on [-pi/2, pi/2], with the sign of the lowest bit of n. */
ISK_INLINE vd signed_sine(vd r, vd n)
{
	const vd w = r * r;
	vd p = vd_set1(0x1.883bf70329b0ap-49);

	p = vd_fma(p, w, vd_set1(-0x1.ae43db6f91342p-41));
	p = vd_fma(p, w, vd_set1(0x1.6123ce4d97a2fp-33));
	p = vd_fma(p, w, vd_set1(-0x1.ae6454d955e07p-26));
	p = vd_fma(p, w, vd_set1(0x1.71de3a52aaaa3p-19));
	p = vd_fma(p, w, vd_set1(-0x1.a01a01a014eb5p-13));
	p = vd_fma(p, w, vd_set1(0x1.11111111110c9p-7));
	p = vd_fma(p, w, vd_set1(-0x1.5555555555555p-3));
	return (vd)((vl)vd_fma(p, w * r, r) ^ (vl)n << 63);
}

/* For the cosine, n is an integer and a half, and the 1 that is added to the rounding constant flips the sign. */
#define COSINE_HALF  0.5
#define COSINE_ROUND (VD_ROUND + 1)

ISK_INLINE vd small_of(vd d, const double half, const double round)
{
	const struct by_pi t = by_pi_of_small(d, half, round);

	return signed_sine(t.r, t.sum);
}

ISK_INLINE vd large_of(vd d, double half, double round)
{
	const struct by_pi t = ISK_PART(by_pi, by_pi_of_large)(d, half, round);

	return signed_sine(t.r, t.sum);
}

ISK_INLINE vd small_sin_of(vd d)
{
	return small_of(d, 0, VD_ROUND);
}

ISK_INLINE vd small_cos_of(vd d)
{
	return small_of(d, COSINE_HALF, COSINE_ROUND);
}

static __attribute__((noinline, unused)) vd large_sin_of(vd d)
{
	return large_of(d, 0, VD_ROUND);
}

static __attribute__((noinline, unused)) vd large_cos_of(vd d)
{
	return large_of(d, COSINE_HALF, COSINE_ROUND);
}

/* Defines name(a), op of a = |x|, NaN for infinity. LARGE(op, a, y) may correct the result y of a large argument. */
#define SINE(name, op, WIDE, LARGE)                                                                          \
	ISK_INLINE vf name(vf a)                                                                                 \
	{                                                                                                        \
		const vm small = vf_lt(a, vf_set1(0x1p26f));                                                         \
		vf y = WIDE(small_##op##_of, a);                                                                     \
                                                                                                             \
		if (__builtin_expect(!vm_all(small), 0))                                                             \
			y = vf_sel(small, y, LARGE(op, a, WIDE(large_##op##_of, a)) + (a - a));                          \
		return y;                                                                                            \
	}

ISK_INLINE vf with_sign(vf size, vf x)
{
	return (vf)((vi)size ^ ((vi)x & INT32_MIN));
}

#endif
