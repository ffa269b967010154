/* SPDX-License-Identifier: MIT */
/* The last steps of a fold on x86, in 128 bits: fold the upper half onto the lower one, until one lane remains. */
#ifndef ISK_FOLD_LANES_H
#define ISK_FOLD_LANES_H

ISK_INLINE float isk_fold_add4(__m128 v)
{
	v = v + _mm_movehl_ps(v, v);
	return (v + _mm_shuffle_ps(v, v, 1))[0];
}

ISK_INLINE float isk_fold_max4(__m128 v)
{
	v = _mm_max_ps(v, _mm_movehl_ps(v, v));
	return _mm_max_ps(v, _mm_shuffle_ps(v, v, 1))[0];
}

ISK_INLINE double isk_fold_add2(__m128d v)
{
	return (v + _mm_unpackhi_pd(v, v))[0];
}

ISK_INLINE double isk_fold_max2(__m128d v)
{
	return _mm_max_pd(v, _mm_unpackhi_pd(v, v))[0];
}

#endif
