/* SPDX-License-Identifier: MIT */
/* vec.h for 16 lanes: AVX-512 F, BW, DQ and VL, and BMI2 of the row avx2. */
#include <immintrin.h>

#include "fold_lanes.h"

#define ISK_SELECTS_BITS
#define ISK_VECTOR_REGISTER "v"
#define ISK_PAIRS           "pair_avx512.h"
#define ISK_SLEEF(f, error) Sleef_finz_##f##d8_##error##avx512f
/* An instruction of 15 bytes that does nothing. */
#define ISK_LONG_NOP        __asm__ volatile(".nops 15")

typedef __mmask16 vm;
typedef __mmask8 vmd;

ISK_INLINE vf vf_set1(float x)
{
	return _mm512_set1_ps(x);
}

ISK_INLINE vm vm_first(size_t n)
{
	return (vm)_bzhi_u32(0xffff, (unsigned)n);
}

ISK_INLINE vf vf_load_n(const float *p, size_t n)
{
	return _mm512_maskz_loadu_ps(vm_first(n), p);
}

ISK_INLINE void vf_store_n(float *p, vf v, size_t n)
{
	_mm512_mask_storeu_ps(p, vm_first(n), v);
}

ISK_INLINE vi vi_load_n(const int32_t *p, size_t n)
{
	return (vi)_mm512_maskz_loadu_epi32(vm_first(n), p);
}

ISK_INLINE vi vi_load_bytes(const void *p, size_t n)
{
	return n >= 64 ? (vi)_mm512_loadu_si512(p) : (vi)_mm512_maskz_loadu_epi8(_bzhi_u64(~0ull, (unsigned)n), p);
}

#define ISK_SATURATED(word, f)                                                 \
	ISK_INLINE vi vi_##word##_saturated(vi a, vi b, const int bytes, const int is_signed) \
	{                                                                          \
		const __m512i x = (__m512i)a, y = (__m512i)b;                          \
                                                                               \
		return (vi)(bytes == 2  ? _mm512_##f##_epi16(x, y)                     \
		            : is_signed ? _mm512_##f##_epi8(x, y)                      \
		                        : _mm512_##f##_epu8(x, y));                    \
	}
ISK_SATURATED(add, adds)
ISK_SATURATED(sub, subs)

ISK_INLINE vul vul_mul_low(vul a, vul b)
{
	return (vul)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}

ISK_INLINE vi vi_multiply_pairs(vi a, vi b)
{
	return (vi)_mm512_madd_epi16((__m512i)a, (__m512i)b);
}

ISK_INLINE vi vi_min_u16(vi a, vi b)
{
	return (vi)_mm512_min_epu16((__m512i)a, (__m512i)b);
}

ISK_INLINE void vi_store_bytes(void *p, vi v, size_t n)
{
	if (n >= 64)
		_mm512_storeu_si512(p, (__m512i)v);
	else
		_mm512_mask_storeu_epi8(p, _bzhi_u64(~0ull, (unsigned)n), (__m512i)v);
}

ISK_INLINE void vi_stream(void *p, const void *from, const size_t bytes)
{
	if (bytes == 4 * VL)
		_mm512_stream_si512(p, _mm512_loadu_si512(from));
	else
		_mm256_stream_si256(p, _mm256_loadu_si256(from));
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
	                   : (vi)_mm512_shuffle_epi8((__m512i)v, (__m512i)from);
}

ISK_INLINE vi vi_unpack_low(vi a, vi b, const int bytes)
{
	const __m512i x = (__m512i)a, y = (__m512i)b;

	return (vi)(bytes == 1   ? _mm512_unpacklo_epi8(x, y)
	            : bytes == 2 ? _mm512_unpacklo_epi16(x, y)
	            : bytes == 4 ? _mm512_unpacklo_epi32(x, y)
	                         : _mm512_unpacklo_epi64(x, y));
}

ISK_INLINE vi vi_unpack_high(vi a, vi b, const int bytes)
{
	const __m512i x = (__m512i)a, y = (__m512i)b;

	return (vi)(bytes == 1   ? _mm512_unpackhi_epi8(x, y)
	            : bytes == 2 ? _mm512_unpackhi_epi16(x, y)
	            : bytes == 4 ? _mm512_unpackhi_epi32(x, y)
	                         : _mm512_unpackhi_epi64(x, y));
}

ISK_INLINE void vi_exchange_lanes(vi v[4])
{
	const __m512i a = (__m512i)v[0], b = (__m512i)v[1], c = (__m512i)v[2], d = (__m512i)v[3];
	const __m512i ab = _mm512_shuffle_i32x4(a, b, 0x44), AB = _mm512_shuffle_i32x4(a, b, 0xee);
	const __m512i cd = _mm512_shuffle_i32x4(c, d, 0x44), CD = _mm512_shuffle_i32x4(c, d, 0xee);

	v[0] = (vi)_mm512_shuffle_i32x4(ab, cd, 0x88);
	v[1] = (vi)_mm512_shuffle_i32x4(ab, cd, 0xdd);
	v[2] = (vi)_mm512_shuffle_i32x4(AB, CD, 0x88);
	v[3] = (vi)_mm512_shuffle_i32x4(AB, CD, 0xdd);
}

/* Half a vector from p, and half a vector from p + step. */
ISK_INLINE __m512i isk_load_halves(const char *p, size_t step)
{
	const __m512i low = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)p));

	return _mm512_inserti64x4(low, _mm256_loadu_si256((const __m256i *)(p + step)), 1);
}

/* Loads put halves together, which saves half of the shuffles; fewer loads cross a cache line. */
ISK_INLINE void vi_load_exchanged(vi v[4], const void *p, size_t step)
{
	const char *a = p, *c = a + 2 * step;
	const __m512i ab = isk_load_halves(a, step), AB = isk_load_halves(a + 32, step);
	const __m512i cd = isk_load_halves(c, step), CD = isk_load_halves(c + 32, step);

	v[0] = (vi)_mm512_shuffle_i32x4(ab, cd, 0x88);
	v[1] = (vi)_mm512_shuffle_i32x4(ab, cd, 0xdd);
	v[2] = (vi)_mm512_shuffle_i32x4(AB, CD, 0x88);
	v[3] = (vi)_mm512_shuffle_i32x4(AB, CD, 0xdd);
}

ISK_INLINE void vi_store_pairs(int32_t *p, vi a, vi b)
{
	const vi low = vi_iota() >> 1 | (vi_iota() & 1) << 4;

	_mm512_storeu_si512(p, _mm512_permutex2var_epi32((__m512i)a, (__m512i)low, (__m512i)b));
	_mm512_storeu_si512(p + VL, _mm512_permutex2var_epi32((__m512i)a, (__m512i)(low + 8), (__m512i)b));
}

#ifdef __AVX512VNNI__
#define VI_DOT_STEPS 1

ISK_INLINE vi vi_dot(vi sum, vi a, vi b)
{
	return (vi)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
}
#endif

ISK_INLINE void vi_store_n(int32_t *p, vi v, size_t n)
{
	_mm512_mask_storeu_epi32(p, vm_first(n), (__m512i)v);
}

ISK_INLINE vf vf_fma(vf a, vf b, vf c)
{
	return _mm512_fmadd_ps(a, b, c);
}

ISK_INLINE vf vf_fnma(vf a, vf b, vf c)
{
	return _mm512_fnmadd_ps(a, b, c);
}

/* The rounding error of a product, by another fma. */
ISK_INLINE vf vf_mul_low(vf a, vf b, vf h)
{
	return vf_fma(a, b, -h);
}

ISK_INLINE vf vf_sqrt(vf v)
{
	return _mm512_sqrt_ps(v);
}

ISK_INLINE vf vf_min(vf a, vf b)
{
	return _mm512_min_ps(a, b);
}

ISK_INLINE vf vf_max(vf a, vf b)
{
	return _mm512_max_ps(a, b);
}

ISK_INLINE vmd vmd_first(size_t n)
{
	return (vmd)_bzhi_u32(0xff, (unsigned)n);
}

#define ISK_WHOLE(word, how)                                                   \
	ISK_INLINE vf vf_##word(vf v)                                              \
	{                                                                          \
		return _mm512_roundscale_ps(v, how | _MM_FROUND_NO_EXC);               \
	}                                                                          \
	ISK_INLINE vd vd_##word(vd v)                                              \
	{                                                                          \
		return _mm512_roundscale_pd(v, how | _MM_FROUND_NO_EXC);               \
	}
ISK_WHOLE(nearest, _MM_FROUND_TO_NEAREST_INT)
ISK_WHOLE(floor, _MM_FROUND_TO_NEG_INF)
ISK_WHOLE(ceil, _MM_FROUND_TO_POS_INF)
ISK_WHOLE(trunc, _MM_FROUND_TO_ZERO)

ISK_INLINE vd vd_set1(double x)
{
	return _mm512_set1_pd(x);
}

ISK_INLINE vd vf_low_half(vf v)
{
	return _mm512_cvtps_pd(_mm512_castps512_ps256(v));
}

ISK_INLINE vd vf_high_half(vf v)
{
	return _mm512_cvtps_pd(_mm512_extractf32x8_ps(v, 1));
}

ISK_INLINE vf vd_halves(vd low, vd high)
{
	return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)), _mm512_cvtpd_ps(high), 1);
}

/* Element i % 16 of a table. */
ISK_INLINE vd vd_lookup16(const double t[16], vl i)
{
	return _mm512_permutex2var_pd(_mm512_loadu_pd(t), (__m512i)i, _mm512_loadu_pd(t + 8));
}

ISK_INLINE vd vd_load_n(const double *p, size_t n)
{
	return _mm512_maskz_loadu_pd(vmd_first(n), p);
}

ISK_INLINE void vd_store_n(double *p, vd v, size_t n)
{
	_mm512_mask_storeu_pd(p, vmd_first(n), v);
}

ISK_INLINE vd vd_fma(vd a, vd b, vd c)
{
	return _mm512_fmadd_pd(a, b, c);
}

ISK_INLINE vd vd_sqrt(vd v)
{
	return _mm512_sqrt_pd(v);
}

ISK_INLINE vd vd_min(vd a, vd b)
{
	return _mm512_min_pd(a, b);
}

ISK_INLINE vd vd_max(vd a, vd b)
{
	return _mm512_max_pd(a, b);
}

ISK_INLINE vmd vd_lt(vd a, vd b)
{
	return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}

ISK_INLINE vmd vd_unordered(vd a, vd b)
{
	return _mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q);
}

ISK_INLINE vmd vd_le(vd a, vd b)
{
	return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ);
}

ISK_INLINE vmd vd_eq(vd a, vd b)
{
	return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
}

ISK_INLINE vmd vl_lt(vl a, vl b)
{
	return _mm512_cmplt_epi64_mask((__m512i)a, (__m512i)b);
}

ISK_INLINE vmd vl_eq(vl a, vl b)
{
	return _mm512_cmpeq_epi64_mask((__m512i)a, (__m512i)b);
}

ISK_INLINE vm vm_halves(vmd low, vmd high)
{
	return _mm512_kunpackb(high, low);
}

ISK_INLINE void vm_store_four(void *p, const vm m[4])
{
	const __m256i one = _mm256_set1_epi8(1);

#pragma GCC unroll 2
	for (int v = 0; v < 2; v++)
		_mm256_storeu_si256((__m256i *)p + v, _mm256_maskz_mov_epi8(_mm512_kunpackw(m[2 * v + 1], m[2 * v]), one));
}

ISK_INLINE vi vi_widen_u8(const void *p, size_t n, const int bytes)
{
	const __mmask64 first = _bzhi_u64(~0ull, (unsigned)n);

	switch (bytes) {
	case 1:
		return vi_load_bytes(p, n);
	case 2:
		return (vi)_mm512_cvtepu8_epi16(n >= 32 ? _mm256_loadu_si256(p) : _mm256_maskz_loadu_epi8((__mmask32)first, p));
	case 4:
		return (vi)_mm512_cvtepu8_epi32(n >= 16 ? _mm_loadu_si128(p) : _mm_maskz_loadu_epi8((__mmask16)first, p));
	default:
		return (vi)_mm512_cvtepu8_epi64(n >= 8 ? _mm_loadl_epi64(p) : _mm_maskz_loadu_epi8((__mmask16)first, p));
	}
}

ISK_INLINE int vmd_any(vmd m)
{
	return m != 0;
}

ISK_INLINE vd vd_sel(vmd m, vd a, vd b)
{
	return _mm512_mask_blend_pd(m, b, a);
}

ISK_INLINE float vf_fold_add(const vf v[1])
{
	const __m256 s = _mm512_castps512_ps256(v[0]) + _mm512_extractf32x8_ps(v[0], 1);

	return isk_fold_add4(_mm256_castps256_ps128(s) + _mm256_extractf128_ps(s, 1));
}

ISK_INLINE float vf_fold_max(const vf v[1])
{
	const __m256 m = _mm256_max_ps(_mm512_castps512_ps256(v[0]), _mm512_extractf32x8_ps(v[0], 1));

	return isk_fold_max4(_mm_max_ps(_mm256_castps256_ps128(m), _mm256_extractf128_ps(m, 1)));
}

ISK_INLINE double vd_fold_add(const vd v[1])
{
	const __m256d s = _mm512_castpd512_pd256(v[0]) + _mm512_extractf64x4_pd(v[0], 1);

	return isk_fold_add2(_mm256_castpd256_pd128(s) + _mm256_extractf128_pd(s, 1));
}

ISK_INLINE double vd_fold_max(const vd v[1])
{
	const __m256d m = _mm256_max_pd(_mm512_castpd512_pd256(v[0]), _mm512_extractf64x4_pd(v[0], 1));

	return isk_fold_max2(_mm_max_pd(_mm256_castpd256_pd128(m), _mm256_extractf128_pd(m, 1)));
}

ISK_INLINE vd vi_low_half(vi v)
{
	return _mm512_cvtepi32_pd(_mm512_castsi512_si256((__m512i)v));
}

ISK_INLINE vd vi_high_half(vi v)
{
	return _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64((__m512i)v, 1));
}

ISK_INLINE vi vd_halves_to_vi(vd low, vd high)
{
	return (vi)_mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtpd_epi32(low)), _mm512_cvtpd_epi32(high), 1);
}

ISK_INLINE vl vd_to_vl(vd v)
{
	return (vl)_mm512_cvtpd_epi64(v);
}

ISK_INLINE vd vl_to_vd(vl v)
{
	return _mm512_cvtepi64_pd((__m512i)v);
}

ISK_INLINE vi vf_to_vi(vf v)
{
	return (vi)_mm512_cvtps_epi32(v);
}

ISK_INLINE vf vi_to_vf(vi v)
{
	return _mm512_cvtepi32_ps((__m512i)v);
}

ISK_INLINE vf vf_scale2(vf v, vf sum)
{
	return _mm512_scalef_ps(v, sum - VF_ROUND(VF_BIAS));
}

/* The instruction rounds n down itself. */
ISK_INLINE vf vf_scale8(vf v, vf sum)
{
	return _mm512_scalef_ps(v, sum - VF_ROUND8(VF_BIAS));
}

ISK_INLINE vf vf_scalable(vf x, float low, float high)
{
	(void)low;
	(void)high;
	return x;
}

/* The lesser magnitude, with the sign of r; `most` if r is NaN. */
ISK_INLINE vf vf_rest(vf r, float most)
{
	return _mm512_range_ps(r, vf_set1(most), 2);
}

ISK_INLINE vm vf_lt(vf a, vf b)
{
	return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

ISK_INLINE vm vf_le(vf a, vf b)
{
	return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

ISK_INLINE vm vf_gt(vf a, vf b)
{
	return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ);
}

ISK_INLINE vm vf_ge(vf a, vf b)
{
	return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
}

ISK_INLINE vm vf_eq(vf a, vf b)
{
	return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}

ISK_INLINE vm vi_eq(vi a, vi b)
{
	return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}

ISK_INLINE vm vi_gt(vi a, vi b)
{
	return _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b);
}

ISK_INLINE vm vf_unordered(vf a, vf b)
{
	return _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
}

ISK_INLINE unsigned vm_bits(vm m)
{
	return m;
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
	return (vm)~m;
}

ISK_INLINE int vm_any(vm m)
{
	return m != 0;
}

ISK_INLINE int vm_all(vm m)
{
	return m == 0xffff;
}

ISK_INLINE vf vf_sel(vm m, vf a, vf b)
{
	return _mm512_mask_blend_ps(m, b, a);
}

ISK_INLINE vi vi_sel(vm m, vi a, vi b)
{
	return (vi)_mm512_mask_blend_epi32(m, (__m512i)b, (__m512i)a);
}

ISK_INLINE vf vf_lanes(vf v, vi from)
{
	return _mm512_permutexvar_ps((__m512i)from, v);
}

ISK_INLINE vf vf_lookup16(const float t[16], vi i)
{
	return vf_lanes(vf_load(t), i);
}

ISK_INLINE vf vf_lookup8(const float t[8], vi i)
{
	return vf_lanes(_mm512_broadcast_f32x8(_mm256_loadu_ps(t)), i);
}

ISK_INLINE vi vi_load_u16(const uint16_t *p)
{
	return (vi)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p));
}

ISK_INLINE vi vi_load_u16_n(const uint16_t *p, size_t n)
{
	return (vi)_mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(vm_first(n), p));
}

ISK_INLINE vi vi_load_u8(const uint8_t *p)
{
	return (vi)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p));
}

ISK_INLINE vi vi_load_u8_n(const uint8_t *p, size_t n)
{
	return (vi)_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(vm_first(n), p));
}

ISK_INLINE vi vi_load_s8(const int8_t *p)
{
	return (vi)_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p));
}

ISK_INLINE vi vi_load_s8_n(const int8_t *p, size_t n)
{
	return (vi)_mm512_cvtepi8_epi32(_mm_maskz_loadu_epi8(vm_first(n), p));
}

ISK_INLINE __m256i isk_pack_high16(vi v)
{
	/* moves the 16-bit elements 1, 3, 5, ... to the front, two in each lane */
	const vi odd = (vi_iota() * 4 + 1) | (vi_iota() * 4 + 3) << 16;

	return _mm512_castsi512_si256(_mm512_permutexvar_epi16((__m512i)odd, (__m512i)v));
}

ISK_INLINE void vi_store_high16(void *p, vi v)
{
	_mm256_storeu_si256(p, isk_pack_high16(v));
}

ISK_INLINE void vi_store_high16_n(void *p, vi v, size_t n)
{
	_mm256_mask_storeu_epi16(p, vm_first(n), isk_pack_high16(v));
}

ISK_INLINE void vi_store_high16_two(void *p, vi a, vi b)
{
	const vi at = vi_iota() * 4, odd = (at + 1) | (at + 3) << 16;

	_mm512_storeu_si512(p, _mm512_permutex2var_epi16((__m512i)a, (__m512i)odd, (__m512i)b));
}

/* Narrows into a register first, because narrowing into memory under a mask is slow. */
ISK_INLINE void vi_store_8(void *p, vi v)
{
	_mm_storeu_si128(p, _mm512_cvtepi32_epi8((__m512i)v));
}

ISK_INLINE void vi_store_8_n(void *p, vi v, size_t n)
{
	_mm_mask_storeu_epi8(p, vm_first(n), _mm512_cvtepi32_epi8((__m512i)v));
}

ISK_INLINE void vi_store_8_four(void *p, const vi v[4], const int is_signed)
{
	const __m512i a = _mm512_packs_epi32((__m512i)v[0], (__m512i)v[1]);
	const __m512i b = _mm512_packs_epi32((__m512i)v[2], (__m512i)v[3]);
	/* Each quarter holds four bytes of each of the four vectors. */
	const __m512i mixed = is_signed ? _mm512_packs_epi16(a, b) : _mm512_packus_epi16(a, b);
	const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);

	_mm512_storeu_si512(p, _mm512_permutexvar_epi32(order, mixed));
}

ISK_INLINE vf vf_load_f16(const uint16_t *p)
{
	return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
}

ISK_INLINE vf vf_load_f16_n(const uint16_t *p, size_t n)
{
	return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(vm_first(n), p));
}

ISK_INLINE void vf_store_f16(uint16_t *p, vf v)
{
	_mm256_storeu_si256((__m256i *)p, _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}

ISK_INLINE void vf_store_f16_n(uint16_t *p, vf v, size_t n)
{
	_mm256_mask_storeu_epi16(p, vm_first(n), _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}

ISK_INLINE void vf_from_f16_pairs(vi v, vf *even, vf *odd)
{
	/* the 16-bit elements 0, 2, ... 30, then 1, 3, ... 31, two in each lane */
	const vi first = (vi_iota() & 7) * 4 + (vi_iota() >> 3);
	const vi apart = first | (first + 2) << 16;
	const __m512i words = _mm512_permutexvar_epi16((__m512i)apart, (__m512i)v);

	*even = _mm512_cvtph_ps(_mm512_castsi512_si256(words));
	*odd = _mm512_cvtph_ps(_mm512_extracti64x4_epi64(words, 1));
}

/* Zen 4 and laptops' Zen 5 execute an FMA of 16 lanes in two halves. They have bf16; tuning.tbl demotes them to avx512. */
#ifdef __AVX512BF16__
#include "bf16_avx512.h"
#else
#define VF_IS_IN_HALVES 1
#endif
