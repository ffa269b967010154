/* SPDX-License-Identifier: MIT */
/* vec.h for 8 lanes: AVX2, FMA and F16C. */

typedef vi vm;

ISK_INLINE vf vf_set1(float x)
{
	return _mm256_set1_ps(x);
}

ISK_INLINE vi vi_set1(int32_t x)
{
	return (vi)_mm256_set1_epi32(x);
}

ISK_INLINE vi vi_iota(void)
{
	return (vi){0, 1, 2, 3, 4, 5, 6, 7};
}

ISK_INLINE vm vm_first(size_t n)
{
	return vi_set1((int32_t)n) > vi_iota();
}

ISK_INLINE vf vf_load_n(const float *p, size_t n)
{
	return _mm256_maskload_ps(p, (__m256i)vm_first(n));
}

ISK_INLINE void vf_store_n(float *p, vf v, size_t n)
{
	_mm256_maskstore_ps(p, (__m256i)vm_first(n), v);
}

ISK_INLINE vi vi_load_n(const int32_t *p, size_t n)
{
	return (vi)_mm256_maskload_epi32(p, (__m256i)vm_first(n));
}

ISK_INLINE void vi_store_n(int32_t *p, vi v, size_t n)
{
	_mm256_maskstore_epi32(p, (__m256i)vm_first(n), (__m256i)v);
}

ISK_INLINE vf vf_fma(vf a, vf b, vf c)
{
	return _mm256_fmadd_ps(a, b, c);
}

ISK_INLINE vf vf_fnma(vf a, vf b, vf c)
{
	return _mm256_fnmadd_ps(a, b, c);
}

ISK_INLINE vf vf_sqrt(vf v)
{
	return _mm256_sqrt_ps(v);
}

ISK_INLINE vf vf_min(vf a, vf b)
{
	return _mm256_min_ps(a, b);
}

ISK_INLINE vf vf_max(vf a, vf b)
{
	return _mm256_max_ps(a, b);
}

ISK_INLINE vi vf_to_vi(vf v)
{
	return (vi)_mm256_cvtps_epi32(v);
}

ISK_INLINE vf vi_to_vf(vi v)
{
	return _mm256_cvtepi32_ps((__m256i)v);
}

ISK_INLINE vm vf_lt(vf a, vf b)
{
	return a < b;
}

ISK_INLINE vm vf_le(vf a, vf b)
{
	return a <= b;
}

ISK_INLINE vm vf_gt(vf a, vf b)
{
	return a > b;
}

ISK_INLINE vm vf_ge(vf a, vf b)
{
	return a >= b;
}

ISK_INLINE vm vf_eq(vf a, vf b)
{
	return a == b;
}

ISK_INLINE vm vi_eq(vi a, vi b)
{
	return a == b;
}

ISK_INLINE vm vi_gt(vi a, vi b)
{
	return a > b;
}

ISK_INLINE vm vm_and(vm a, vm b)
{
	return a & b;
}

ISK_INLINE vm vm_or(vm a, vm b)
{
	return a | b;
}

ISK_INLINE vm vm_not(vm m)
{
	return ~m;
}

ISK_INLINE int vm_any(vm m)
{
	return _mm256_movemask_ps((__m256)m) != 0;
}

ISK_INLINE int vm_all(vm m)
{
	return _mm256_movemask_ps((__m256)m) == 0xff;
}

ISK_INLINE vf vf_sel(vm m, vf a, vf b)
{
	return _mm256_blendv_ps(b, a, (__m256)m);
}

ISK_INLINE vi vi_sel(vm m, vi a, vi b)
{
	return (vi)vf_sel(m, (vf)a, (vf)b);
}

/* Two factors: the first product is exact as v is near 1, so only the second rounds. */
ISK_INLINE vf vf_scale2(vf v, vf n)
{
	vi e = vf_to_vi(n) + 254;
	vi half = e >> 1;

	return v * vi_float(half << 23) * vi_float((e - half) << 23);
}

ISK_INLINE vi vi_load_u16(const uint16_t *p)
{
	return (vi)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
}

ISK_INLINE vi vi_load_u16_n(const uint16_t *p, size_t n)
{
	return (vi)_mm256_cvtepu16_epi32(isk_load_bytes(p, 2 * n));
}

ISK_INLINE vi vi_load_u8(const uint8_t *p)
{
	return (vi)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p));
}

ISK_INLINE vi vi_load_u8_n(const uint8_t *p, size_t n)
{
	return (vi)_mm256_cvtepu8_epi32(isk_load_bytes(p, n));
}

ISK_INLINE vi vi_load_s8(const int8_t *p)
{
	return (vi)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p));
}

ISK_INLINE vi vi_load_s8_n(const int8_t *p, size_t n)
{
	return (vi)_mm256_cvtepi8_epi32(isk_load_bytes(p, n));
}

/* The low 16 bits of each lane: packing saturates, so the rest is cleared first. */
ISK_INLINE __m128i isk_pack_16(vi v)
{
	__m256i low = (__m256i)(v & 0xffff);

	return _mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
}

ISK_INLINE __m128i isk_pack_8(vi v)
{
	__m128i words = isk_pack_16(v & 0xff);

	return _mm_packus_epi16(words, words);
}

ISK_INLINE void vi_store_16(void *p, vi v)
{
	_mm_storeu_si128(p, isk_pack_16(v));
}

ISK_INLINE void vi_store_16_n(void *p, vi v, size_t n)
{
	isk_store_bytes(p, isk_pack_16(v), 2 * n);
}

ISK_INLINE void vi_store_8(void *p, vi v)
{
	_mm_storel_epi64(p, isk_pack_8(v));
}

ISK_INLINE void vi_store_8_n(void *p, vi v, size_t n)
{
	isk_store_bytes(p, isk_pack_8(v), n);
}

ISK_INLINE vf vf_load_f16(const uint16_t *p)
{
	return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
}

ISK_INLINE vf vf_load_f16_n(const uint16_t *p, size_t n)
{
	return _mm256_cvtph_ps(isk_load_bytes(p, 2 * n));
}

ISK_INLINE void vf_store_f16(uint16_t *p, vf v)
{
	_mm_storeu_si128((__m128i *)p, _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}

ISK_INLINE void vf_store_f16_n(uint16_t *p, vf v, size_t n)
{
	isk_store_bytes(p, _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT), 2 * n);
}
