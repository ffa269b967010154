/* SPDX-License-Identifier: MIT */
/* vec_pair.h in AVX-512. */
#ifndef ISK_PAIR_AVX512_H
#define ISK_PAIR_AVX512_H

#include "eight_floats.h"

ISK_INLINE v8 v8_fma(v8 a, v8 b, v8 c)
{
	return _mm256_fmadd_ps(a, b, c);
}

ISK_INLINE v8 v8_fma_d(v8 a, v8 b, v8 c)
{
	return (v8)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
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
 * The half is forced into a register, because gcc would store it by a vextractf32x4
 * with a mask, which faults even on elements that the mask leaves out. vmovups does
 * not.
 */
ISK_INLINE void v8_store_half(float *p, v8 v, const int second, size_t n)
{
	__m128 half = second ? _mm256_extractf128_ps(v, 1) : _mm256_castps256_ps128(v);

	__asm__("" : "+v"(half));
	_mm_mask_storeu_ps(p, (__mmask8)vm_first(n), half);
}

#endif
