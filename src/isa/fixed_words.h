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

/* The lower or, if odd is 1, the upper words of a, then those of b. */
ISK_INLINE __m512i isk_words(vi a, vi b, const int odd)
{
	const vi pair = vi_iota() * 2 * 0x20002 + 0x20000;

	return _mm512_permutex2var_epi16((__m512i)a, (__m512i)(pair + odd * 0x10001), (__m512i)b);
}

ISK_INLINE int vi_narrow_fixed(vi *bytes, const vi v[4], const int is_signed, const uint16_t low)
{
	const __m512i above = _mm512_set1_epi16((int16_t)-low);
	const __mmask32 first = _mm512_testn_epi16_mask(isk_words(v[0], v[1], 0), above);
	const __mmask32 second = _mm512_testn_epi16_mask(isk_words(v[2], v[3], 0), above);
	const __m512i a = isk_words(v[0], v[1], 1), b = isk_words(v[2], v[3], 1);
	/* Each quarter holds eight bytes of one of the first two vectors and eight of one of the others. */
	const __m512i mixed = is_signed ? _mm512_packs_epi16(a, b) : _mm512_packus_epi16(a, b);

	*bytes = (vi)_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), mixed);
	return (first | second) != 0;
}
#else
#define ISK_FIXED_WORDS 0
#endif

#endif
