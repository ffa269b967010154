/* SPDX-License-Identifier: MIT */
/* vec.h for 8 lanes: AVX2, FMA and F16C. */
#include <immintrin.h>

#include "fold_lanes.h"
#include "lane_masks.h"

#define ISK_VECTOR_REGISTER "x"
#define ISK_PAIRS           "pair_avx2.h"
#define ISK_SLEEF(f, error) Sleef_finz_##f##d4_##error##avx2

ISK_INLINE vf vf_set1(float x)
{
	return _mm256_set1_ps(x);
}

ISK_INLINE vf vf_load_n(const float *p, size_t n)
{
	return _mm256_maskload_ps(p, (__m256i)vm_first(n));
}

ISK_INLINE vi vi_load_n(const int32_t *p, size_t n)
{
	return (vi)_mm256_maskload_epi32(p, (__m256i)vm_first(n));
}

ISK_INLINE vi vi_load_bytes(const void *p, size_t n)
{
	const __m128i *halves = p;

	if (n >= 32)
		return (vi)_mm256_loadu_si256(p);
	return (vi)_mm256_set_m128i(n > 16 ? isk_load_bytes(halves + 1, n - 16) : _mm_setzero_si128(),
	                            isk_load_bytes(halves, n < 16 ? n : 16));
}

ISK_INLINE vi vi_multiply_pairs(vi a, vi b)
{
	return (vi)_mm256_madd_epi16((__m256i)a, (__m256i)b);
}

ISK_INLINE vi vi_widen_u8(const void *p, size_t n, const int bytes)
{
	if (bytes == 1)
		return vi_load_bytes(p, n);
	return (vi)(bytes == 2   ? _mm256_cvtepu8_epi16(isk_load_bytes(p, n))
	            : bytes == 4 ? _mm256_cvtepu8_epi32(isk_load_bytes(p, n))
	                         : _mm256_cvtepu8_epi64(isk_load_bytes(p, n)));
}

/* Packing works within each 128 bits, so the quarters of `mixed` are low, high, low, high. */
ISK_INLINE vm vm_halves(vmd low, vmd high)
{
	const __m256 mixed = _mm256_shuffle_ps((__m256)low, (__m256)high, 0x88);

	return (vm)_mm256_permute4x64_epi64((__m256i)mixed, 0xd8);
}

ISK_INLINE void vm_store_four(void *p, const vm m[4])
{
	const __m256i a = _mm256_packs_epi32((__m256i)m[0], (__m256i)m[1]);
	const __m256i b = _mm256_packs_epi32((__m256i)m[2], (__m256i)m[3]);
	/* Each half holds four bytes of each of the four masks. */
	const __m256i mixed = _mm256_and_si256(_mm256_packs_epi16(a, b), _mm256_set1_epi8(1));

	_mm256_storeu_si256(p, _mm256_permutevar8x32_epi32(mixed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
}

#define ISK_SATURATED(word, f)                                                 \
	ISK_INLINE vi vi_##word##_saturated(vi a, vi b, const int bytes, const int is_signed) \
	{                                                                          \
		const __m256i x = (__m256i)a, y = (__m256i)b;                          \
                                                                               \
		return (vi)(bytes == 2  ? _mm256_##f##_epi16(x, y)                     \
		            : is_signed ? _mm256_##f##_epi8(x, y)                      \
		                        : _mm256_##f##_epu8(x, y));                    \
	}
ISK_SATURATED(add, adds)
ISK_SATURATED(sub, subs)

ISK_INLINE vul vul_mul_low(vul a, vul b)
{
	return (vul)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}

ISK_INLINE vi vi_min_u16(vi a, vi b)
{
	return (vi)_mm256_min_epu16((__m256i)a, (__m256i)b);
}

ISK_INLINE void vi_store_bytes(void *p, vi v, size_t n)
{
	__m128i *halves = p;

	if (n >= 32) {
		_mm256_storeu_si256(p, (__m256i)v);
		return;
	}
	isk_store_bytes(halves, _mm256_castsi256_si128((__m256i)v), n < 16 ? n : 16);
	if (n > 16)
		isk_store_bytes(halves + 1, _mm256_extracti128_si256((__m256i)v, 1), n - 16);
}

ISK_INLINE void vi_stream(void *p, const void *from, const size_t bytes)
{
	if (bytes == 4 * VL)
		_mm256_stream_si256(p, _mm256_loadu_si256(from));
	else
		_mm_stream_si128(p, _mm_loadu_si128(from));
}

ISK_INLINE void vi_streamed(void)
{
	_mm_sfence();
}

/* A byte of `from` holds the index of the source byte in its low four bits, or is 0x80 for 0. */
ISK_INLINE vi vi_raise(vi v, const int byte)
{
	const vi from = (vi_iota() * 4 + byte) << 24 | 0x808080;

	return byte == 0   ? v << 24
	       : byte == 3 ? v & (int32_t)0xff000000
	                   : (vi)_mm256_shuffle_epi8((__m256i)v, (__m256i)from);
}

ISK_INLINE vi vi_unpack_low(vi a, vi b, const int bytes)
{
	const __m256i x = (__m256i)a, y = (__m256i)b;

	return (vi)(bytes == 1   ? _mm256_unpacklo_epi8(x, y)
	            : bytes == 2 ? _mm256_unpacklo_epi16(x, y)
	            : bytes == 4 ? _mm256_unpacklo_epi32(x, y)
	                         : _mm256_unpacklo_epi64(x, y));
}

ISK_INLINE vi vi_unpack_high(vi a, vi b, const int bytes)
{
	const __m256i x = (__m256i)a, y = (__m256i)b;

	return (vi)(bytes == 1   ? _mm256_unpackhi_epi8(x, y)
	            : bytes == 2 ? _mm256_unpackhi_epi16(x, y)
	            : bytes == 4 ? _mm256_unpackhi_epi32(x, y)
	                         : _mm256_unpackhi_epi64(x, y));
}

ISK_INLINE void vi_exchange_lanes(vi v[2])
{
	const __m256i a = (__m256i)v[0], b = (__m256i)v[1];

	v[0] = (vi)_mm256_permute2x128_si256(a, b, 0x20);
	v[1] = (vi)_mm256_permute2x128_si256(a, b, 0x31);
}

/* Loads put the 128-bit lanes together, which saves shuffles. */
ISK_INLINE void vi_load_exchanged(vi v[2], const void *p, size_t step)
{
	const __m128i *a = p, *b = (const void *)((const char *)p + step);

	v[0] = (vi)_mm256_loadu2_m128i(b, a);
	v[1] = (vi)_mm256_loadu2_m128i(b + 1, a + 1);
}

ISK_INLINE void vi_store_pairs(int32_t *p, vi a, vi b)
{
	vi v[] = {vi_unpack_low(a, b, 4), vi_unpack_high(a, b, 4)};

	vi_exchange_lanes(v);
	vi_store(p, v[0]);
	vi_store(p + VL, v[1]);
}

#ifdef __AVXVNNI__
#define VI_DOT_STEPS 1

ISK_INLINE vi vi_dot(vi sum, vi a, vi b)
{
	return (vi)_mm256_dpbusd_avx_epi32((__m256i)sum, (__m256i)a, (__m256i)b);
}
#endif

/* Stores 4, 2 and 1 lanes as the bits of n say, because a masked store takes a dozen cycles on Zen 3. */
ISK_INLINE void vi_store_n(int32_t *p, vi v, size_t n)
{
	__m128i half = _mm256_castsi256_si128((__m256i)v);

	if (n >= VL) {
		_mm256_storeu_si256((void *)p, (__m256i)v);
		return;
	}
	if (n & 4) {
		_mm_storeu_si128((void *)p, half);
		half = _mm256_extracti128_si256((__m256i)v, 1);
		p += 4;
	}
	if (n & 2) {
		_mm_storeu_si64(p, half);
		half = _mm_unpackhi_epi64(half, half);
		p += 2;
	}
	if (n & 1)
		_mm_storeu_si32(p, half);
}

ISK_INLINE void vf_store_n(float *p, vf v, size_t n)
{
	vi_store_n((int32_t *)(void *)p, vf_bits(v), n);
}

ISK_INLINE vf vf_fma(vf a, vf b, vf c)
{
	return _mm256_fmadd_ps(a, b, c);
}

ISK_INLINE vf vf_fnma(vf a, vf b, vf c)
{
	return _mm256_fnmadd_ps(a, b, c);
}

/* The rounding error of a product, by another fma. */
ISK_INLINE vf vf_mul_low(vf a, vf b, vf h)
{
	return vf_fma(a, b, -h);
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

#define ISK_WHOLE(word, how)                                                   \
	ISK_INLINE vf vf_##word(vf v)                                              \
	{                                                                          \
		return _mm256_round_ps(v, how | _MM_FROUND_NO_EXC);                    \
	}                                                                          \
	ISK_INLINE vd vd_##word(vd v)                                              \
	{                                                                          \
		return _mm256_round_pd(v, how | _MM_FROUND_NO_EXC);                    \
	}
ISK_WHOLE(nearest, _MM_FROUND_TO_NEAREST_INT)
ISK_WHOLE(floor, _MM_FROUND_TO_NEG_INF)
ISK_WHOLE(ceil, _MM_FROUND_TO_POS_INF)
ISK_WHOLE(trunc, _MM_FROUND_TO_ZERO)

ISK_INLINE vd vd_set1(double x)
{
	return _mm256_set1_pd(x);
}

ISK_INLINE vd vf_low_half(vf v)
{
	return _mm256_cvtps_pd(_mm256_castps256_ps128(v));
}

ISK_INLINE vd vf_high_half(vf v)
{
	return _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1));
}

ISK_INLINE vf vd_halves(vd low, vd high)
{
	return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}

ISK_INLINE vd vd_load_n(const double *p, size_t n)
{
	return _mm256_maskload_pd(p, (__m256i)vmd_first(n));
}

ISK_INLINE void vd_store_n(double *p, vd v, size_t n)
{
	_mm256_maskstore_pd(p, (__m256i)vmd_first(n), v);
}

ISK_INLINE vd vd_fma(vd a, vd b, vd c)
{
	return _mm256_fmadd_pd(a, b, c);
}

ISK_INLINE vd vd_sqrt(vd v)
{
	return _mm256_sqrt_pd(v);
}

ISK_INLINE vd vd_min(vd a, vd b)
{
	return _mm256_min_pd(a, b);
}

ISK_INLINE vd vd_max(vd a, vd b)
{
	return _mm256_max_pd(a, b);
}

ISK_INLINE vmd vd_lt(vd a, vd b)
{
	return (vmd)_mm256_cmp_pd(a, b, _CMP_LT_OQ);
}

ISK_INLINE vmd vd_unordered(vd a, vd b)
{
	return (vmd)_mm256_cmp_pd(a, b, _CMP_UNORD_Q);
}

ISK_INLINE int vmd_any(vmd m)
{
	return _mm256_movemask_pd((__m256d)m) != 0;
}

ISK_INLINE vd vd_sel(vmd m, vd a, vd b)
{
	return _mm256_blendv_pd(b, a, (__m256d)m);
}

ISK_INLINE float vf_fold_add(const vf v[2])
{
	const __m256 s = v[0] + v[1];

	return isk_fold_add4(_mm256_castps256_ps128(s) + _mm256_extractf128_ps(s, 1));
}

ISK_INLINE float vf_fold_max(const vf v[2])
{
	const __m256 m = vf_max(v[0], v[1]);

	return isk_fold_max4(_mm_max_ps(_mm256_castps256_ps128(m), _mm256_extractf128_ps(m, 1)));
}

ISK_INLINE double vd_fold_add(const vd v[2])
{
	const __m256d s = v[0] + v[1];

	return isk_fold_add2(_mm256_castpd256_pd128(s) + _mm256_extractf128_pd(s, 1));
}

ISK_INLINE double vd_fold_max(const vd v[2])
{
	const __m256d m = vd_max(v[0], v[1]);

	return isk_fold_max2(_mm_max_pd(_mm256_castpd256_pd128(m), _mm256_extractf128_pd(m, 1)));
}

ISK_INLINE vd vi_low_half(vi v)
{
	return _mm256_cvtepi32_pd(_mm256_castsi256_si128((__m256i)v));
}

ISK_INLINE vd vi_high_half(vi v)
{
	return _mm256_cvtepi32_pd(_mm256_extracti128_si256((__m256i)v, 1));
}

ISK_INLINE vi vd_halves_to_vi(vd low, vd high)
{
	return (vi)_mm256_set_m128i(_mm256_cvtpd_epi32(high), _mm256_cvtpd_epi32(low));
}

ISK_INLINE vi vf_to_vi(vf v)
{
	return (vi)_mm256_cvtps_epi32(v);
}

ISK_INLINE vf vi_to_vf(vi v)
{
	return _mm256_cvtepi32_ps((__m256i)v);
}

ISK_INLINE vm vf_unordered(vf a, vf b)
{
	return (vm)_mm256_cmp_ps(a, b, _CMP_UNORD_Q);
}

ISK_INLINE unsigned vm_bits(vm m)
{
	return (unsigned)_mm256_movemask_ps((__m256)m);
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

ISK_INLINE vf vf_lanes(vf v, vi from)
{
	return _mm256_permutevar8x32_ps(v, (__m256i)from);
}

ISK_INLINE vf vf_lookup16(const float t[16], vi i)
{
	return vf_sel((vm)(i << 28), vf_lanes(vf_load(t + 8), i), vf_lanes(vf_load(t), i));
}

ISK_INLINE vf vf_lookup8(const float t[8], vi i)
{
	return vf_lanes(vf_load(t), i);
}

ISK_INLINE vi isk_widen_u16(__m128i v)
{
	return (vi)_mm256_cvtepu16_epi32(v);
}

ISK_INLINE vi isk_widen_u8(__m128i v)
{
	return (vi)_mm256_cvtepu8_epi32(v);
}

ISK_INLINE vi isk_widen_s8(__m128i v)
{
	return (vi)_mm256_cvtepi8_epi32(v);
}

ISK_INLINE __m128i isk_pack_words(vi v)
{
	__m256i words = (__m256i)v;

	return _mm_packus_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
}

/* Packing saturates, so the lanes are shifted to fit first. */
ISK_INLINE __m128i isk_pack_high16(vi v)
{
	return isk_pack_words((vi)((vu)v >> 16));
}

ISK_INLINE void vi_store_high16_two(void *p, vi a, vi b)
{
	const __m256i mixed = _mm256_packus_epi32((__m256i)((vu)a >> 16), (__m256i)((vu)b >> 16));

	_mm256_storeu_si256(p, _mm256_permute4x64_epi64(mixed, 0xd8));
}

ISK_INLINE __m128i isk_pack_8(vi v)
{
	__m128i words = isk_pack_words(v & 0xff);

	return _mm_packus_epi16(words, words);
}

ISK_INLINE void vi_store_8_four(void *p, const vi v[4], const int is_signed)
{
	const __m256i a = _mm256_packs_epi32((__m256i)v[0], (__m256i)v[1]);
	const __m256i b = _mm256_packs_epi32((__m256i)v[2], (__m256i)v[3]);
	/* Each half holds four bytes of each of the four vectors. */
	const __m256i mixed = is_signed ? _mm256_packs_epi16(a, b) : _mm256_packus_epi16(a, b);

	_mm256_storeu_si256(p, _mm256_permutevar8x32_epi32(mixed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
}

ISK_INLINE vf isk_from_f16(__m128i h)
{
	return _mm256_cvtph_ps(h);
}

ISK_INLINE __m128i isk_to_f16(vf v)
{
	return _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT);
}

ISK_INLINE void vf_from_f16_pairs(vi v, vf *even, vf *odd)
{
	*even = isk_from_f16(isk_pack_high16(v << 16));
	*odd = isk_from_f16(isk_pack_high16(v));
}

#include "by_factors.h"
#include "clamped.h"
#include "long_lanes.h"
#include "narrow_elements.h"
