/* SPDX-License-Identifier: MIT */
/*
 * sin and cos of f32 arguments in f64, within 2^-52 or so: r = |x| - n pi, and cos(x)
 * is a sine of x + pi/2. Constants: derive/sine.sollya. Arguments from 2^26 on have a
 * part of their own, large_sine.c.
 */
#ifndef ISK_SINE_H
#define ISK_SINE_H

#include "part.h"
#include "wide.h"

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

/*
 * For cosine n is an integer and a half, and the sign is the other way round: a
 * half is taken off before the next integer is looked for, and put back behind.
 */
#define SUM(t, half) ((t) - (half) + (VD_ROUND + 2 * (half)))
#define N(sum, half) ((sum) - (VD_ROUND + 2 * (half)) + (half))

/* For d below 2^26, where n has 26 bits. The difference of d and the first product is exact. */
ISK_INLINE vd small_of(vd d, const double half)
{
	const vd sum = SUM(d * 0x1.45f306dc9c883p-2, half), n = N(sum, half);
#if ISK_FMA
	const vd r = vd_fma(n, vd_set1(-0x1.1a62633145c07p-53), vd_fma(n, vd_set1(-0x1.921fb54442d18p+1), d));
#else
	const vd r = d - n * 0x1.921fb58p+1 - n * -0x1.dde974p-26 - n * 0x1.1a62633145c07p-53;
#endif

	return signed_sine(r, sum);
}

/* The same for d from 2^26 on. */
ISK_EXTERN vd ISK_PART(large_sine, large_sine)(vd d, double half);

ISK_INLINE vd small_sin_of(vd d)
{
	return small_of(d, 0);
}

ISK_INLINE vd small_cos_of(vd d)
{
	return small_of(d, 0.5);
}

ISK_INLINE vd large_sin_of(vd d)
{
	return ISK_PART(large_sine, large_sine)(d, 0);
}

ISK_INLINE vd large_cos_of(vd d)
{
	return ISK_PART(large_sine, large_sine)(d, 0.5);
}

/* op of a, which is |x|; NaN of infinities. LARGE is what becomes of WIDE(large_##op##_of, a). */
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
