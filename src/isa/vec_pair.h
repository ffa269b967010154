/* SPDX-License-Identifier: MIT */
/*
 * Eight lanes at whatever VL, to be used whole or as a pair: four lanes of one
 * row and four of the next. Small matrices have rows that fill no more.
 *
 * v8_set1(x) v8_fma(a, b, c)
 * v8_load(p) v8_store(p, v)
 * v8_load_n(p, n) v8_store_n(p, v, n)  the first n elements, lanes not loaded are 0
 * v8_twice_n(p, n)                     the first n <= 4 elements, for either row
 * v8_pair(v, w)                        the lanes of v for the first row, of w for the second
 * v8_store_first_n v8_store_second_n(p, v, n)  n <= 4 elements of that row
 */
#ifndef ISK_VEC_PAIR_H
#define ISK_VEC_PAIR_H

#include "vec.h"

typedef float v8 __attribute__((vector_size(32)));

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

ISK_INLINE v8 v8_twice_n(const float *p, size_t n)
{
	return (v8)_mm256_broadcast_f32x4(_mm_maskz_loadu_ps((__mmask8)vm_first(n), p));
}

ISK_INLINE v8 v8_pair(v8 v, v8 w)
{
	return _mm256_mask_blend_ps(0xf0, v, w);
}

ISK_INLINE void v8_store_first_n(float *p, v8 v, size_t n)
{
	v8_store_n(p, v, n);
}

ISK_INLINE void v8_store_second_n(float *p, v8 v, size_t n)
{
	_mm_mask_storeu_ps(p, (__mmask8)vm_first(n), _mm256_extractf128_ps(v, 1));
}

#else

#if ISK_LANES == 8

ISK_INLINE v8 v8_fma(v8 a, v8 b, v8 c)
{
	return vf_fma(a, b, c);
}

ISK_INLINE v8 v8_load_n(const float *p, size_t n)
{
	return vf_load_n(p, n);
}

ISK_INLINE void v8_store_n(float *p, v8 v, size_t n)
{
	vf_store_n(p, v, n);
}

#else

ISK_INLINE v8 v8_fma(v8 a, v8 b, v8 c)
{
	return a * b + c;
}

ISK_INLINE v8 v8_load_n(const float *p, size_t n)
{
	const vf low = vf_load_n(p, n < 4 ? n : 4), high = n > 4 ? vf_load_n(p + 4, n - 4) : vf_set1(0);

	return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

ISK_INLINE void v8_store_n(float *p, v8 v, size_t n)
{
	vf_store_n(p, __builtin_shufflevector(v, v, 0, 1, 2, 3), n < 4 ? n : 4);
	if (n > 4)
		vf_store_n(p + 4, __builtin_shufflevector(v, v, 4, 5, 6, 7), n - 4);
}

#endif

ISK_INLINE v8 v8_twice_n(const float *p, size_t n)
{
	const v8 v = v8_load_n(p, n);

	return __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3);
}

ISK_INLINE v8 v8_pair(v8 v, v8 w)
{
	return __builtin_shufflevector(v, w, 0, 1, 2, 3, 12, 13, 14, 15);
}

ISK_INLINE void v8_store_first_n(float *p, v8 v, size_t n)
{
	isk_store_bytes(p, (__m128i)__builtin_shufflevector(v, v, 0, 1, 2, 3), 4 * n);
}

ISK_INLINE void v8_store_second_n(float *p, v8 v, size_t n)
{
	isk_store_bytes(p, (__m128i)__builtin_shufflevector(v, v, 4, 5, 6, 7), 4 * n);
}

#endif

#endif
