/* SPDX-License-Identifier: MIT */
/* The functions that bf16.h expects from a vocabulary, by instructions of AVX512_BF16. These all treat denormals as 0. */
#ifndef ISK_BF16_AVX512_H
#define ISK_BF16_AVX512_H

#define VF_DOT_IS_FAST 1

ISK_INLINE vf vf_dot_bf16(vf c, vf a, vf b)
{
	return _mm512_dpbf16_ps(c, (__m512bh)a, (__m512bh)b);
}

ISK_INLINE int isk_convert_bf16(uint16_t *p, vf v)
{
	if (_mm512_fpclass_ps_mask(v, 0x20))
		return 0;
	_mm256_storeu_si256((__m256i *)p, (__m256i)_mm512_cvtneps_pbh(v));
	return 1;
}

/* Tests for denormals only if a result is 0. */
ISK_INLINE int isk_convert_bf16_four(uint16_t *p, const vf v[4])
{
	const __m512i low = (__m512i)_mm512_cvtne2ps_pbh(v[1], v[0]), high = (__m512i)_mm512_cvtne2ps_pbh(v[3], v[2]);
	const __m512i size = _mm512_set1_epi16(INT16_MAX);
	unsigned denormal = 0;

	if (_mm512_testn_epi16_mask(low, size) | _mm512_testn_epi16_mask(high, size)) {
#pragma GCC unroll 4
		for (size_t i = 0; i < 4; i++)
			denormal |= _mm512_fpclass_ps_mask(v[i], 0x20);
	}
	if (__builtin_expect(denormal, 0))
		return 0;
	_mm512_storeu_si512(p, low);
	_mm512_storeu_si512(p + 2 * VL, high);
	return 1;
}

ISK_INLINE int isk_convert_bf16_rows(uint16_t *p, size_t step, const vf *v, const size_t all, size_t first, size_t end)
{
	unsigned denormal = 0;

#pragma GCC unroll 8
	for (size_t r = 0; r < all; r++)
		denormal |= _mm512_fpclass_ps_mask(v[r], 0x20);
	if (denormal)
		return 0;
#pragma GCC unroll 8
	for (size_t r = 0; r < all; r++)
		if (r >= first && r < end)
			_mm256_storeu_si256((__m256i *)(p + r * step), (__m256i)_mm512_cvtneps_pbh(v[r]));
	return 1;
}

#endif
