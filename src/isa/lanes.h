/* SPDX-License-Identifier: MIT */
/*
 * Functions for vectors of either kind of lanes, f32 or f64. A source that uses only
 * these is the same for all types.
 *
 * v_set1(v, x)                   x in all lanes of a vector like v
 * v_sqrt(v) v_nearest floor ceil trunc(v)
 * v_lt(a, b) v_unordered(a, b) v_sel(m, a, b)
 * v_min(a, b) v_max(a, b)        like vf_min and vf_max: b if a and b are equal or unordered
 * v_minimum(a, b) v_maximum      with -0 below +0; NaN if a or b is
 * v_abs(v) v_copysign(size, sign)
 * v_fused(a, b, c)               a * b + c, rounded once at every ISA
 *
 * And for f64 lanes:
 *
 * vd_mul_low(a, b, h)            a * b - h for an h near a * b: the rounding error of a product
 * vd_mul_minus(a, high, low, h)  a * (high + low) - h for an h near that product, an a of 24 bits and a high of 29
 */
#ifndef ISK_LANES_H
#define ISK_LANES_H

#define ISK_EITHER(v, word) _Generic((v), vf: vf_##word, vd: vd_##word)

#define v_set1(v, x)        ISK_EITHER(v, set1)(x)
#define v_sqrt(v)           ISK_EITHER(v, sqrt)(v)
#define v_nearest(v)        ISK_EITHER(v, nearest)(v)
#define v_floor(v)          ISK_EITHER(v, floor)(v)
#define v_ceil(v)           ISK_EITHER(v, ceil)(v)
#define v_trunc(v)          ISK_EITHER(v, trunc)(v)
#define v_lt(a, b)          ISK_EITHER(a, lt)(a, b)
#define v_unordered(a, b)   ISK_EITHER(a, unordered)(a, b)
#define v_sel(m, a, b)      ISK_EITHER(a, sel)(m, a, b)
#define v_min(a, b)         ISK_EITHER(a, min)(a, b)
#define v_max(a, b)         ISK_EITHER(a, max)(a, b)
#define v_minimum(a, b)     ISK_EITHER(a, minimum)(a, b)
#define v_maximum(a, b)     ISK_EITHER(a, maximum)(a, b)
#define v_abs(v)            ISK_EITHER(v, abs)(v)
#define v_copysign(size, v) ISK_EITHER(v, copysign)(size, v)
#define v_fused(a, b, c)    ISK_EITHER(a, fused)(a, b, c)

ISK_INLINE vd vd_abs(vd v)
{
	return (vd)((vl)v & INT64_MAX);
}

/* gcc turns the first form into one instruction of AVX-512. Elsewhere the second form has the shorter chain. */
#ifdef ISK_SELECTS_BITS
#define ISK_SIGNED(V, size, sign, most) ((((V)(size) ^ (V)(sign)) & (most)) ^ (V)(sign))
#else
#define ISK_SIGNED(V, size, sign, most) (((V)(size) & (most)) | ((V)(sign) & ~(most)))
#endif

ISK_INLINE vf vf_copysign(vf size, vf sign)
{
	return (vf)ISK_SIGNED(vi, size, sign, INT32_MAX);
}

ISK_INLINE vd vd_copysign(vd size, vd sign)
{
	return (vd)ISK_SIGNED(vl, size, sign, INT64_MAX);
}

/* For zeros, min and max return their second argument, so both orders give both zeros. a + b is NaN if either is. */
ISK_INLINE vf vf_minimum(vf a, vf b)
{
	const vf least = (vf)((vi)vf_min(a, b) | (vi)vf_min(b, a));

	return vf_sel(vf_unordered(a, b), a + b, least);
}

ISK_INLINE vf vf_maximum(vf a, vf b)
{
	const vf most = (vf)((vi)vf_max(a, b) & (vi)vf_max(b, a));

	return vf_sel(vf_unordered(a, b), a + b, most);
}

ISK_INLINE vd vd_minimum(vd a, vd b)
{
	const vd least = (vd)((vl)vd_min(a, b) | (vl)vd_min(b, a));

	return vd_sel(vd_unordered(a, b), a + b, least);
}

ISK_INLINE vd vd_maximum(vd a, vd b)
{
	const vd most = (vd)((vl)vd_max(a, b) & (vl)vd_max(b, a));

	return vd_sel(vd_unordered(a, b), a + b, most);
}

#if ISK_FMA
ISK_INLINE vf vf_fused(vf a, vf b, vf c)
{
	return vf_fma(a, b, c);
}

ISK_INLINE vd vd_fused(vd a, vd b, vd c)
{
	return vd_fma(a, b, c);
}
#else
#include "fused.h"
#endif

/* Without FMA, a and b are split into halves of 26 bits and a sign, whose products are exact (Dekker), unless a half overflows. */
ISK_INLINE vd vd_mul_low(vd a, vd b, vd h)
{
#if ISK_FMA
	return vd_fma(a, b, -h);
#else
	const vd a1 = (vd)(((vl)a + 0x4000000) & -0x8000000), a0 = a - a1;
	const vd b1 = (vd)(((vl)b + 0x4000000) & -0x8000000), b0 = b - b1;

	return a1 * b1 - h + a1 * b0 + a0 * b1 + a0 * b0;
#endif
}

/* With FMA, high + low is rounded first, because low may have more bits than fit behind those of high. */
ISK_INLINE vd vd_mul_minus(vd a, const double high, const double low, vd h)
{
#if ISK_FMA
	const double both = high + low, rest = high - both + low;

	return vd_fma(a, vd_set1(rest), vd_fma(a, vd_set1(both), -h));
#else
	return a * high - h + a * low;
#endif
}

#endif
