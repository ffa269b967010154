/* SPDX-License-Identifier: MIT */
/*
 * The vocabulary kernels are written in: vectors of VL lanes of 32 bits, or VD of
 * 64. Arithmetic, shifts and integer logic are the C operators on vf (float), vd
 * (double), vi (int32_t), vu (uint32_t), vl (int64_t) and vul (uint64_t); here
 * stands only what C lacks. Each word gives the same bits whatever VL, but for fma and fnma at
 * baseline, where they round twice. Words for either kind of lanes: lanes.h.
 * Elements of any type in memory: typed.h.
 */
#ifndef ISK_VEC_H
#define ISK_VEC_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define VL         ISK_LANES
#define VD         (VL / 2)
#define ISK_INLINE static inline __attribute__((always_inline))

typedef float vf __attribute__((vector_size(4 * VL)));
typedef double vd __attribute__((vector_size(4 * VL)));
typedef int32_t vi __attribute__((vector_size(4 * VL)));
typedef uint32_t vu __attribute__((vector_size(4 * VL)));
typedef int64_t vl __attribute__((vector_size(4 * VL)));
typedef uint64_t vul __attribute__((vector_size(4 * VL)));

/* The same in memory: aligned to nothing, as packed matrices may be, and of whatever type the memory is. */
typedef float vf_mem __attribute__((vector_size(4 * VL), aligned(1), may_alias));
typedef double vd_mem __attribute__((vector_size(4 * VL), aligned(1), may_alias));
typedef int32_t vi_mem __attribute__((vector_size(4 * VL), aligned(1), may_alias));

/*
 * Adding VF_ROUND(bias) to a float below 2^22 rounds it to an integer n and
 * leaves n + bias in the low bits of the sum: shifted left by 23, an exponent.
 */
#define VF_ROUND(bias) (0x1.8p23f + (bias))
#define VF_BIAS        254

/* Likewise to eighths, below 2^19: eighths of a power of 2 are the 3 lowest bits. */
#define VF_ROUND8(bias) (0x1.8p20f + (bias))

ISK_INLINE vf vf_load(const float *p)
{
	return *(const vf_mem *)p;
}

ISK_INLINE void vf_store(float *p, vf v)
{
	*(vf_mem *)p = v;
}

ISK_INLINE vd vd_load(const double *p)
{
	return *(const vd_mem *)p;
}

ISK_INLINE void vd_store(double *p, vd v)
{
	*(vd_mem *)p = v;
}

ISK_INLINE vi vi_load(const int32_t *p)
{
	return *(const vi_mem *)p;
}

ISK_INLINE void vi_store(int32_t *p, vi v)
{
	*(vi_mem *)p = v;
}

ISK_INLINE vi vi_set1(int32_t x)
{
	return (vi){0} + x;
}

/* Each byte is x. */
ISK_INLINE vi vi_set1_u8(uint8_t x)
{
	return vi_set1((int32_t)(x * 0x01010101u));
}

/* 0, 1, 2 and so on. */
ISK_INLINE vi vi_iota(void)
{
	vi v = {0};

#pragma GCC unroll 16
	for (int i = 0; i < VL; i++)
		v[i] = i;
	return v;
}

/* The same bits under another type. */
ISK_INLINE vi vf_bits(vf v)
{
	return (vi)v;
}

ISK_INLINE vf vi_float(vi v)
{
	return (vf)v;
}

/*
 * What differs between vocabularies. n is 0..VL; the _n forms touch only the
 * first n elements in memory, and lanes not loaded are 0.
 *
 * vm              a mask, one truth a lane
 * vf_set1(x)
 * vf_load_n(p, n) vf_store_n(p, v, n) vi_load_n(p, n) vi_store_n(p, v, n)
 * vf_fma(a, b, c) vf_fnma(a, b, c)     a * b + c and c - a * b, rounded once
 * vf_sqrt(v)
 * vf_nearest floor ceil trunc(v)       an integer of the sign of v: ties to even, down, up, towards 0
 * vf_min(a, b) vf_max(a, b)            a < b ? a : b and a > b ? a : b, thus b when unordered
 * vf_to_vi(v)     the nearest integer, ties to even; INT32_MIN where it does not fit
 * vi_to_vf(v)
 * vf_mul_low(a, b, h)                  a * b - h for an h near a * b: what a rounded product lost
 * vf_scale2(v, sum)                    v * 2^n, rounded once, for sum = n + VF_ROUND(VF_BIAS), n from
 *                                      -252 to 254 and normal v * 2^(n / 2)
 * vf_scale8(v, sum)                    the same for sum = n + VF_ROUND8(VF_BIAS) where n are eighths: by 2^floor(n)
 * vf_scalable(x, low, high)            x clamped to low and high, a NaN passing; where vf_scale8 takes any n, be it
 *                                      infinite or NaN, x itself
 * vf_rest(r, most)                     r; where the former did not clamp, r clamped to -most and most, and no NaN
 * vf_lt le gt ge eq(a, b) vi_eq gt(a, b) -> vm
 * vf_unordered(a, b)                  whether either is NaN
 * vm_halves(low, high)                the mask of which these, of 64-bit lanes, are the halves
 * vm_store_four(p, m)                 0 or 1 for each truth of four masks, a byte each
 * vm_first(n)     true in the first n lanes
 * vm_bits(m)      lane i as bit i
 * vm_and or(a, b) vm_not(m) vm_any(m) vm_all(m)
 * vf_sel(m, a, b) vi_sel(m, a, b)      m ? a : b
 * vf_lanes(v, from)                    lane i is lane from[i] modulo VL of v
 * vf_twice8(p)                         8 elements, twice, where VL is 16
 * vf_fold_add(v) vf_fold_max(v)        16 lanes, in 16 / VL vectors, to one: lane j and lane j + 8, then + 4, 2, 1
 * vi_load_u16 vi_load_u8 vi_load_s8(p), also with _n: narrow elements widened
 * vi_load_bytes(p, n)                  the first min(n, 4 * VL) bytes, the others 0
 * vi_widen_u8(p, n, bytes)             the first n bytes, each as an element of 1, 2, 4 or 8 bytes; n is no more than fit
 * vi_store_bytes(p, v, n)              the first min(n, 4 * VL) bytes
 * vi_stream(p, from, bytes)            4 * VL or 2 * VL bytes to a multiple of as many, past the caches
 * vi_streamed()                        what was streamed before is seen before what is stored later
 * vul_mul_low(a, b)                    of 64-bit lanes, the products of their lower halves
 * vi_unpack_low(a, b, bytes)           within each 128 bits, elements of 1, 2, 4 or 8 bytes of the lower
 * vi_unpack_high(a, b, bytes)          or upper halves of a and b in turn: a0 b0 a1 b1 ...
 * vi_raise(v, byte)                    byte 0 to 3 of each lane as its highest, below it 0
 * vi_min_u16(a, b)                    of each 16 bits the lesser, unsigned
 * vi_multiply_pairs(a, b)            16-bit products, signed, of which the two of a lane are added
 * vi_exchange_lanes(v)                 VL / 4 vectors of as many 128-bit lanes, transposed
 * vi_load_exchanged(v, p, step)        the same of vectors step bytes apart in memory
 * vi_store_pairs(p, a, b)              a0 b0 a1 b1 ... of all lanes, in two vectors
 * vi_dot(sum, a, b)                    see VI_DOT_STEPS below
 * vi_store_8 vi_store_high16(p, v), also with _n: the lowest 8 or highest 16 bits of each lane
 * vi_store_high16_two(p, a, b)         the highest 16 bits of each lane of two vectors
 * vi_store_8_four(p, v, is_signed)     four vectors, saturated to s8 or u8
 * vf_load_f16(p) vf_store_f16(p, v), also with _n: IEEE binary16, ties to even, NaNs made quiet
 * vf_from_f16_pairs(v, even, odd)      pairs of binary16, as they lie in 32-bit lanes: the lower, then the upper ones
 *
 * vf_low_half(v) vf_high_half(v)        the lower or upper half of the lanes, as f64
 * vd_halves(low, high)                 the vector of which these are the halves, rounded to f32
 * vi_low_half(v) vi_high_half(v)        the same of integers
 * vd_halves_to_vi(low, high)           the vector of which these are the halves, rounded to 32-bit integers
 * vl_to_vd(v)                          64-bit integers rounded to f64
 * vd_to_vl(v)                          the nearest integer, ties to even, of -2^63 <= v < 2^63
 * vd_lookup16(t, i)                    t[i % 16] of 16 f64, where VL is 16
 *
 * Of 64 bits, likewise: vmd, vd_set1, vd_load_n, vd_store_n, vd_fma, vd_sqrt, vd_nearest floor ceil trunc, vd_min
 * and vd_max, vd_lt le eq, vl_lt eq, vd_sel, vd_unordered, vmd_first, vmd_any, vd_fold_add and vd_fold_max (8 lanes).
 */
#include ISK_VOCABULARY

/* Element i modulo 16 of a table. */
ISK_INLINE vf vf_lookup16(const float t[16], vi i)
{
#if VL == 4
	return (vf){t[i[0] & 15], t[i[1] & 15], t[i[2] & 15], t[i[3] & 15]};
#elif VL == 8
	return vf_sel((vm)(i << 28), vf_lanes(vf_load(t + 8), i), vf_lanes(vf_load(t), i));
#else
	return vf_lanes(vf_load(t), i);
#endif
}

/* Element i modulo 8 of a table. */
ISK_INLINE vf vf_lookup8(const float t[8], vi i)
{
#if VL == 4
	return (vf){t[i[0] & 7], t[i[1] & 7], t[i[2] & 7], t[i[3] & 7]};
#elif VL == 8
	return vf_lanes(vf_load(t), i);
#else
	return vf_lanes(vf_twice8(t), i);
#endif
}

/* Neighbours in each pair of lanes change places. */
ISK_INLINE vf vf_swap_pairs(vf v)
{
#if VL == 4
	return __builtin_shufflevector(v, v, 1, 0, 3, 2);
#elif VL == 8
	return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
#else
	return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
#endif
}

/*
 * c + odd a * odd b, rounded, then + even a * even b, for pairs of bf16 in 32-bit
 * lanes. The instruction, where VF_DOT_IS_FAST says that there is one, takes
 * denormals for 0, of inputs and results; what stands for it does not.
 */
#ifdef __AVX512BF16__
#define VF_DOT_IS_FAST 1
#else
#define VF_DOT_IS_FAST 0
#endif

ISK_INLINE vf vf_dot_bf16(vf c, vf a, vf b)
{
#if VF_DOT_IS_FAST
	return _mm512_dpbf16_ps(c, (__m512bh)a, (__m512bh)b);
#else
	const vi high = vi_set1((int32_t)0xffff0000);

	c = vf_fma(vi_float(vf_bits(a) & high), vi_float(vf_bits(b) & high), c);
	return vf_fma(vi_float(vf_bits(a) << 16), vi_float(vf_bits(b) << 16), c);
#endif
}

/*
 * Products of unsigned by signed bytes, four to a lane, added to 32-bit sums
 * without any saturation. With VNNI that is one step; without it bytes 0 and 2,
 * then 1 and 3, are products of 16-bit numbers: vpmaddubsw would saturate.
 *
 *      for (int s = 0; s < VI_DOT_STEPS; s++)
 *              sum = vi_dot(sum, vi_dot_a(a, s), vi_dot_b(b, s));
 */
#if defined(__AVX512VNNI__) || defined(__AVXVNNI__)

#define VI_DOT_STEPS 1

ISK_INLINE vi vi_dot_a(vi a, int step)
{
	(void)step;
	return a;
}

ISK_INLINE vi vi_dot_b(vi b, int step)
{
	(void)step;
	return b;
}

#else

#define VI_DOT_STEPS 2

ISK_INLINE vi vi_dot_a(vi a, int step)
{
	return a >> 8 * step & 0x00ff00ff;
}

ISK_INLINE vi vi_dot_b(vi b, int step)
{
	typedef int16_t pairs __attribute__((vector_size(4 * VL)));

	return (vi)((step ? (pairs)b : (pairs)((vu)b << 8)) >> 8);
}

#endif

ISK_INLINE vf vf_abs(vf v)
{
	return vi_float(vf_bits(v) & 0x7fffffff);
}

ISK_INLINE vf vf_neg_abs(vf v)
{
	return vi_float(vf_bits(v) | INT32_MIN);
}

ISK_INLINE vm vf_isnan(vf v)
{
	return vf_unordered(v, v);
}

/* A bf16 is the upper half of a float. Stores round ties to even and make NaNs quiet. */
ISK_INLINE vf vf_load_bf16(const uint16_t *p)
{
	return vi_float(vi_load_u16(p) << 16);
}

ISK_INLINE vf vf_load_bf16_n(const uint16_t *p, size_t n)
{
	return vi_float(vi_load_u16_n(p, n) << 16);
}

/* Half a unit less one, and one more when the kept part is odd; the carry may run into the exponent. */
ISK_INLINE vi isk_round_number_bf16(vf v)
{
	const vu bits = (vu)v;

	return (vi)(bits + (bits >> 16 & 1) + 0x7fff);
}

ISK_INLINE vi isk_round_bf16(vf v)
{
	return vi_sel(vf_isnan(v), vf_bits(v) | 0x400000, isk_round_number_bf16(v));
}

/* AVX512_BF16 has an instruction for it, but that one takes denormals for 0. */
ISK_INLINE void vf_store_bf16(uint16_t *p, vf v)
{
#ifdef __AVX512BF16__
	if (!_mm512_fpclass_ps_mask(v, 0x20)) {
		_mm256_storeu_si256((__m256i *)p, (__m256i)_mm512_cvtneps_pbh(v));
		return;
	}
#endif
	vi_store_high16(p, isk_round_bf16(v));
}

/* Four vectors: stores of two, a test for denormals only where a result is 0, one test for all NaNs. */
ISK_INLINE void vf_store_bf16_four(uint16_t *p, const vf v[4])
{
#ifdef __AVX512BF16__
	const __m512i low = (__m512i)_mm512_cvtne2ps_pbh(v[1], v[0]), high = (__m512i)_mm512_cvtne2ps_pbh(v[3], v[2]);
	const __m512i size = _mm512_set1_epi16(INT16_MAX);
	unsigned denormal = 0;

	if (_mm512_testn_epi16_mask(low, size) | _mm512_testn_epi16_mask(high, size)) {
#pragma GCC unroll 4
		for (size_t i = 0; i < 4; i++)
			denormal |= _mm512_fpclass_ps_mask(v[i], 0x20);
	}
	if (__builtin_expect(!denormal, 1)) {
		_mm512_storeu_si512(p, low);
		_mm512_storeu_si512(p + 2 * VL, high);
		return;
	}
#endif
	if (__builtin_expect(vm_any(vm_or(vf_unordered(v[0], v[1]), vf_unordered(v[2], v[3]))), 0)) {
		vi_store_high16_two(p, isk_round_bf16(v[0]), isk_round_bf16(v[1]));
		vi_store_high16_two(p + 2 * VL, isk_round_bf16(v[2]), isk_round_bf16(v[3]));
		return;
	}
	vi_store_high16_two(p, isk_round_number_bf16(v[0]), isk_round_number_bf16(v[1]));
	vi_store_high16_two(p + 2 * VL, isk_round_number_bf16(v[2]), isk_round_number_bf16(v[3]));
}

/* Of all vectors those from first up to, not including, end, each step elements after the one before. */
ISK_INLINE void vf_store_bf16_rows(uint16_t *p, size_t step, const vf *v, const size_t all, size_t first,
                                   size_t end)
{
#ifdef __AVX512BF16__
	unsigned denormal = 0;

#pragma GCC unroll 8
	for (size_t r = 0; r < all; r++)
		denormal |= _mm512_fpclass_ps_mask(v[r], 0x20);
	if (!denormal) {
#pragma GCC unroll 8
		for (size_t r = 0; r < all; r++)
			if (r >= first && r < end)
				_mm256_storeu_si256((__m256i *)(p + r * step), (__m256i)_mm512_cvtneps_pbh(v[r]));
		return;
	}
#endif
#pragma GCC unroll 8
	for (size_t r = 0; r < all; r++)
		if (r >= first && r < end)
			vi_store_high16(p + r * step, isk_round_bf16(v[r]));
}

ISK_INLINE void vf_store_bf16_n(uint16_t *p, vf v, size_t n)
{
	vi_store_high16_n(p, isk_round_bf16(v), n);
}

/*
 * v, computed here and now. Compilers put off what is used late, and in a long
 * straight run of code then keep all that it is made of, which is more.
 */
ISK_INLINE vf vf_now(vf v)
{
	__asm__ volatile("" : "+" ISK_VECTOR_REGISTER(v));
	return v;
}

/* v, computed where this stands among what else is computed. */
ISK_INLINE vf vf_here(vf v)
{
	__asm__("" : "+" ISK_VECTOR_REGISTER(v));
	return v;
}

/* The same of integers: gcc 12 copies those that are here as floats from register to register. */
ISK_INLINE vi vi_here(vi v)
{
	__asm__("" : "+" ISK_VECTOR_REGISTER(v));
	return v;
}

#include "lanes.h"
#include "fp8.h"
#include "typed.h"

#endif
