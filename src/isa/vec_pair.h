/* SPDX-License-Identifier: MIT */
/*
 * Eight lanes at whatever VL, to be used whole or as a pair: four lanes of one
 * row and four of the next. Small matrices have rows that fill no more.
 *
 * v8_set1(x) v8_fma(a, b, c)
 * v8_load(p) v8_store(p, v)
 * v8_load_n(p, n) v8_store_n(p, v, n)  n elements, 5 to 8, in lanes that only these two know
 * v8_twice(p) v8_twice_n(p, n)         four elements or n <= 4, for either row
 * v8_pair(v, w)                        the lanes of v for the first row, of w for the second
 * v8_store_half(p, v, second, n)       n <= 4 elements of the first row or the second
 */
#ifndef ISK_VEC_PAIR_H
#define ISK_VEC_PAIR_H

#include "vec.h"

typedef float v8 __attribute__((vector_size(32)));

typedef float v4_mem __attribute__((vector_size(16), aligned(4), may_alias));
typedef float v8_mem __attribute__((vector_size(32), aligned(4), may_alias));

ISK_INLINE v8 v8_load(const float *p)
{
	return *(const v8_mem *)p;
}

ISK_INLINE void v8_store(float *p, v8 v)
{
	*(v8_mem *)p = v;
}

ISK_INLINE v8 v8_set1(float x)
{
	return (v8){x, x, x, x, x, x, x, x};
}

#if ISK_LANES == 16

ISK_INLINE v8 v8_fma(v8 a, v8 b, v8 c)
{
	return _mm256_fmadd_ps(a, b, c);
}

ISK_INLINE v8 v8_load_n(const float *p, size_t n)
{
	return _mm256_maskz_loadu_ps((__mmask8)vm_first(n), p);
}

ISK_INLINE void v8_store_n(float *p, v8 v, size_t n)
{
	_mm256_mask_storeu_ps(p, (__mmask8)vm_first(n), v);
}

ISK_INLINE v8 v8_twice(const float *p)
{
	return _mm256_broadcast_f32x4(_mm_loadu_ps(p));
}

ISK_INLINE v8 v8_twice_n(const float *p, size_t n)
{
	return _mm256_broadcast_f32x4(_mm_maskz_loadu_ps((__mmask8)vm_first(n), p));
}

ISK_INLINE v8 v8_pair(v8 v, v8 w)
{
	return _mm256_mask_blend_ps(0xf0, v, w);
}

/*
 * gcc would store the first half by a vextractf32x4 with a mask, whose store faults
 * on what the mask leaves out, unlike that of vmovups.
 */
ISK_INLINE void v8_store_half(float *p, v8 v, const int second, size_t n)
{
	__m128 half = second ? _mm256_extractf128_ps(v, 1) : _mm256_castps256_ps128(v);

	__asm__("" : "+v"(half));
	_mm_mask_storeu_ps(p, (__mmask8)vm_first(n), half);
}

#else

/* The last four are in the upper half: masked stores are slow. */
ISK_INLINE v8 v8_load_n(const float *p, size_t n)
{
	const v4_mem first = *(const v4_mem *)p, last = *(const v4_mem *)(p + n - 4);

	return __builtin_shufflevector(first, last, 0, 1, 2, 3, 4, 5, 6, 7);
}

ISK_INLINE void v8_store_n(float *p, v8 v, size_t n)
{
	*(v4_mem *)p = __builtin_shufflevector(v, v, 0, 1, 2, 3);
	*(v4_mem *)(p + n - 4) = __builtin_shufflevector(v, v, 4, 5, 6, 7);
}

ISK_INLINE v8 v8_twice_n(const float *p, size_t n)
{
	const vf v = vf_load_n(p, n);

	return __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3);
}

ISK_INLINE void v8_store_half(float *p, v8 v, const int second, size_t n)
{
	const __m128i half = second ? (__m128i)__builtin_shufflevector(v, v, 4, 5, 6, 7)
	                            : (__m128i)__builtin_shufflevector(v, v, 0, 1, 2, 3);

	isk_store_bytes(p, half, 4 * n);
}

#if ISK_LANES == 8

ISK_INLINE v8 v8_fma(v8 a, v8 b, v8 c)
{
	return vf_fma(a, b, c);
}

ISK_INLINE v8 v8_twice(const float *p)
{
	return _mm256_broadcast_ps((const __m128 *)p);
}

/* Not a shuffle: gcc would make one of elements before they are broadcast, and broadcast each twice. */
ISK_INLINE v8 v8_pair(v8 v, v8 w)
{
	return _mm256_blend_ps(v, w, 0xf0);
}

#else

ISK_INLINE v8 v8_fma(v8 a, v8 b, v8 c)
{
	return a * b + c;
}

ISK_INLINE v8 v8_twice(const float *p)
{
	return v8_twice_n(p, 4);
}

ISK_INLINE v8 v8_pair(v8 v, v8 w)
{
	return __builtin_shufflevector(v, w, 0, 1, 2, 3, 12, 13, 14, 15);
}

#endif

#endif

#endif
