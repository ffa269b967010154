/* SPDX-License-Identifier: MIT */
/* vec_pair.h in AVX2. */
#ifndef ISK_PAIR_AVX2_H
#define ISK_PAIR_AVX2_H

#include "eight_floats.h"
#include "pair_halves.h"

ISK_INLINE v8 v8_fma(v8 a, v8 b, v8 c)
{
	return vf_fma(a, b, c);
}

ISK_INLINE v8 v8_fma_d(v8 a, v8 b, v8 c)
{
	return (v8)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}

ISK_INLINE v8 v8_twice(const float *p)
{
	return _mm256_broadcast_ps((const __m128 *)p);
}

ISK_INLINE v8 v8_twice_n(const float *p, size_t n)
{
	const vf v = vf_load_n(p, n);

	return __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3);
}

/* Not by a shuffle, because gcc would shuffle elements before they are broadcast, and broadcast each twice. */
ISK_INLINE v8 v8_pair(v8 v, v8 w)
{
	return _mm256_blend_ps(v, w, 0xf0);
}

#endif
