/* SPDX-License-Identifier: MIT */
/*
 * Narrows four vectors of fixed-point numbers, whose lower 16 bits are a fraction:
 *
 *     vi_narrow_fixed(bytes, v, is_signed, low)   *bytes are the upper 16 bits of all lanes, saturated to s8 or u8; returns
 *                                                 whether a fraction is below `low`, a power of 2
 *
 * ISK_FIXED_WORDS says whether the ISA has it: whether its permutations take words from two vectors.
 */
#ifndef ISK_FIXED_WORDS_H
#define ISK_FIXED_WORDS_H

#include "vec.h"

#ifdef __AVX512BW__
#include <immintrin.h>

#define ISK_FIXED_WORDS 1

/* The upper words of a, then those of b. */
ISK_INLINE __m512i isk_upper_words(vi a, vi b)
{
	const vi pair = vi_iota() * 2 * 0x20002 + 0x30001;

	return _mm512_permutex2var_epi16((__m512i)a, (__m512i)pair, (__m512i)b);
}

/* The least of all lower words tells whether one is below `low`; its upper words mean nothing. */
ISK_INLINE int vi_narrow_fixed(vi *bytes, const vi v[4], const int is_signed, const uint16_t low)
{
	const vi least = vi_min_u16(vi_min_u16(v[0], v[1]), vi_min_u16(v[2], v[3]));
	const __m512i a = isk_upper_words(v[0], v[1]), b = isk_upper_words(v[2], v[3]);
	/* Each quarter holds eight bytes of one of the first two vectors and eight of one of the others. */
	const __m512i mixed = is_signed ? _mm512_packs_epi16(a, b) : _mm512_packus_epi16(a, b);

	*bytes = (vi)_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), mixed);
	return _mm512_testn_epi32_mask((__m512i)least, (__m512i)vi_set1((uint16_t)-low)) != 0;
}

#elif defined(__AVX2__)
#include <immintrin.h>

#define ISK_FIXED_WORDS 1

ISK_INLINE int vi_narrow_fixed(vi *bytes, const vi v[4], const int is_signed, const uint16_t low)
{
	const vi least = vi_min_u16(vi_min_u16(v[0], v[1]), vi_min_u16(v[2], v[3]));
	const __m256i a = _mm256_packs_epi32((__m256i)(v[0] >> 16), (__m256i)(v[1] >> 16));
	const __m256i b = _mm256_packs_epi32((__m256i)(v[2] >> 16), (__m256i)(v[3] >> 16));
	/* Each half holds four bytes of each of the four vectors. */
	const __m256i mixed = is_signed ? _mm256_packs_epi16(a, b) : _mm256_packus_epi16(a, b);

	*bytes = (vi)_mm256_permutevar8x32_epi32(mixed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
	return vm_any(vi_eq(least & (uint16_t)-low, vi_set1(0)));
}

#else
#define ISK_FIXED_WORDS 0
#endif

#endif
