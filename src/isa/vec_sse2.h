/* SPDX-License-Identifier: MIT */
/* vec.h for 4 lanes: SSE2 alone, which every x86-64 has. */
#include <immintrin.h>

#include "fold_lanes.h"
#include "lane_masks.h"

#define ISK_VECTOR_REGISTER "x"
#define ISK_SLEEF(f, error) Sleef_cinz_##f##d2_##error##sse2

ISK_INLINE vf vf_set1(float x)
{
	return _mm_set1_ps(x);
}

ISK_INLINE vi vi_multiply_pairs(vi a, vi b)
{
	return (vi)_mm_madd_epi16((__m128i)a, (__m128i)b);
}

ISK_INLINE vi vi_widen_u8(const void *p, size_t n, const int bytes)
{
	const __m128i none = _mm_setzero_si128(), b = isk_load_bytes(p, n);
	const __m128i words = bytes > 1 ? _mm_unpacklo_epi8(b, none) : b;
	const __m128i lanes = bytes > 2 ? _mm_unpacklo_epi16(words, none) : words;

	return (vi)(bytes > 4 ? _mm_unpacklo_epi32(lanes, none) : lanes);
}

ISK_INLINE vm vm_halves(vmd low, vmd high)
{
	return (vm)_mm_shuffle_ps((__m128)low, (__m128)high, 0x88);
}

ISK_INLINE void vm_store_four(void *p, const vm m[4])
{
	const __m128i a = _mm_packs_epi32((__m128i)m[0], (__m128i)m[1]);
	const __m128i b = _mm_packs_epi32((__m128i)m[2], (__m128i)m[3]);

	_mm_storeu_si128(p, _mm_and_si128(_mm_packs_epi16(a, b), _mm_set1_epi8(1)));
}

#define ISK_SATURATED(word, f)                                                 \
	ISK_INLINE vi vi_##word##_saturated(vi a, vi b, const int bytes, const int is_signed) \
	{                                                                          \
		const __m128i x = (__m128i)a, y = (__m128i)b;                          \
                                                                               \
		return (vi)(bytes == 2  ? _mm_##f##_epi16(x, y)                        \
		            : is_signed ? _mm_##f##_epi8(x, y)                         \
		                        : _mm_##f##_epu8(x, y));                       \
	}
ISK_SATURATED(add, adds)
ISK_SATURATED(sub, subs)

ISK_INLINE vul vul_mul_low(vul a, vul b)
{
	return (vul)_mm_mul_epu32((__m128i)a, (__m128i)b);
}

ISK_INLINE vi vi_min_u16(vi a, vi b)
{
	return (vi)_mm_sub_epi16((__m128i)a, _mm_subs_epu16((__m128i)a, (__m128i)b));
}

ISK_INLINE void vi_stream(void *p, const void *from, const size_t bytes)
{
	if (bytes == 4 * VL)
		_mm_stream_si128(p, _mm_loadu_si128(from));
	else
		_mm_stream_si64(p, _mm_cvtsi128_si64(_mm_loadl_epi64(from)));
}

ISK_INLINE void vi_streamed(void)
{
	_mm_sfence();
}

ISK_INLINE vi vi_raise(vi v, const int byte)
{
	return v << (24 - 8 * byte) & (int32_t)0xff000000;
}

ISK_INLINE vi vi_unpack_low(vi a, vi b, const int bytes)
{
	const __m128i x = (__m128i)a, y = (__m128i)b;

	return (vi)(bytes == 1   ? _mm_unpacklo_epi8(x, y)
	            : bytes == 2 ? _mm_unpacklo_epi16(x, y)
	            : bytes == 4 ? _mm_unpacklo_epi32(x, y)
	                         : _mm_unpacklo_epi64(x, y));
}

ISK_INLINE vi vi_unpack_high(vi a, vi b, const int bytes)
{
	const __m128i x = (__m128i)a, y = (__m128i)b;

	return (vi)(bytes == 1   ? _mm_unpackhi_epi8(x, y)
	            : bytes == 2 ? _mm_unpackhi_epi16(x, y)
	            : bytes == 4 ? _mm_unpackhi_epi32(x, y)
	                         : _mm_unpackhi_epi64(x, y));
}

ISK_INLINE void vi_store_pairs(int32_t *p, vi a, vi b)
{
	vi v[] = {vi_unpack_low(a, b, 4), vi_unpack_high(a, b, 4)};

	vi_store(p, v[0]);
	vi_store(p + VL, v[1]);
}

ISK_INLINE vf vf_fma(vf a, vf b, vf c)
{
	return a * b + c;
}

ISK_INLINE vf vf_fnma(vf a, vf b, vf c)
{
	return c - a * b;
}

/* Splits a and b into halves of 12 bits, whose products are exact (Dekker). */
ISK_INLINE vf vf_mul_low(vf a, vf b, vf h)
{
	vf a1 = vi_float(vf_bits(a) & -0x1000), a0 = a - a1;
	vf b1 = vi_float(vf_bits(b) & -0x1000), b0 = b - b1;

	return a1 * b1 - h + a1 * b0 + a0 * b1 + a0 * b0;
}

ISK_INLINE vf vf_sqrt(vf v)
{
	return _mm_sqrt_ps(v);
}

ISK_INLINE vf vf_min(vf a, vf b)
{
	return _mm_min_ps(a, b);
}

ISK_INLINE vf vf_max(vf a, vf b)
{
	return _mm_max_ps(a, b);
}

/*
 * With p bits of fraction, all numbers from 2^p on are integers. Lower ones are
 * rounded by adding 2^p, because the sum has no bits for a fraction. The sign is
 * kept, even that of zero.
 */
ISK_INLINE vf vf_signed(vf size, vf sign)
{
	return (vf)((vi)size | ((vi)sign & INT32_MIN));
}

ISK_INLINE vf vf_nearest(vf v)
{
	const vf size = (vf)((vi)v & INT32_MAX), limit = vf_set1(0x1p23f);
	const vf whole = vf_signed(size + limit - limit, v);
	const vi below = (vi)(size < limit);

	return (vf)((below & (vi)whole) | (~below & (vi)v));
}

ISK_INLINE vf vf_floor(vf v)
{
	const vf whole = vf_nearest(v);

	return whole - (vf)((vi)(whole > v) & (vi)vf_set1(1));
}

ISK_INLINE vf vf_ceil(vf v)
{
	const vf whole = vf_nearest(v);

	return vf_signed(whole + (vf)((vi)(whole < v) & (vi)vf_set1(1)), v);
}

ISK_INLINE vf vf_trunc(vf v)
{
	return vf_signed(vf_floor((vf)((vi)v & INT32_MAX)), v);
}

ISK_INLINE vd vd_set1(double x)
{
	return _mm_set1_pd(x);
}

ISK_INLINE vd vd_signed(vd size, vd sign)
{
	return (vd)((vl)size | ((vl)sign & INT64_MIN));
}

ISK_INLINE vd vd_nearest(vd v)
{
	const vd size = (vd)((vl)v & INT64_MAX), limit = vd_set1(0x1p52);
	const vd whole = vd_signed(size + limit - limit, v);
	const vl below = (vl)(size < limit);

	return (vd)((below & (vl)whole) | (~below & (vl)v));
}

ISK_INLINE vd vd_floor(vd v)
{
	const vd whole = vd_nearest(v);

	return whole - (vd)((vl)(whole > v) & (vl)vd_set1(1));
}

ISK_INLINE vd vd_ceil(vd v)
{
	const vd whole = vd_nearest(v);

	return vd_signed(whole + (vd)((vl)(whole < v) & (vl)vd_set1(1)), v);
}

ISK_INLINE vd vd_trunc(vd v)
{
	return vd_signed(vd_floor((vd)((vl)v & INT64_MAX)), v);
}

ISK_INLINE vd vf_low_half(vf v)
{
	return _mm_cvtps_pd(v);
}

ISK_INLINE vd vf_high_half(vf v)
{
	return _mm_cvtps_pd(_mm_movehl_ps(v, v));
}

ISK_INLINE vf vd_halves(vd low, vd high)
{
	return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}

ISK_INLINE vd vd_fma(vd a, vd b, vd c)
{
	return a * b + c;
}

ISK_INLINE vd vd_sqrt(vd v)
{
	return _mm_sqrt_pd(v);
}

ISK_INLINE vd vd_min(vd a, vd b)
{
	return _mm_min_pd(a, b);
}

ISK_INLINE vd vd_max(vd a, vd b)
{
	return _mm_max_pd(a, b);
}

ISK_INLINE vmd vd_lt(vd a, vd b)
{
	return (vmd)_mm_cmplt_pd(a, b);
}

ISK_INLINE vmd vd_unordered(vd a, vd b)
{
	return (vmd)_mm_cmpunord_pd(a, b);
}

ISK_INLINE int vmd_any(vmd m)
{
	return _mm_movemask_pd((__m128d)m) != 0;
}

ISK_INLINE vd vd_sel(vmd m, vd a, vd b)
{
	return (vd)((m & (vmd)a) | (~m & (vmd)b));
}

ISK_INLINE vd vi_low_half(vi v)
{
	return _mm_cvtepi32_pd((__m128i)v);
}

ISK_INLINE vd vi_high_half(vi v)
{
	return _mm_cvtepi32_pd(_mm_unpackhi_epi64((__m128i)v, (__m128i)v));
}

ISK_INLINE vi vd_halves_to_vi(vd low, vd high)
{
	return (vi)_mm_unpacklo_epi64(_mm_cvtpd_epi32(low), _mm_cvtpd_epi32(high));
}

ISK_INLINE vi vf_to_vi(vf v)
{
	return (vi)_mm_cvtps_epi32(v);
}

ISK_INLINE vf vi_to_vf(vi v)
{
	return _mm_cvtepi32_ps((__m128i)v);
}

ISK_INLINE vm vf_unordered(vf a, vf b)
{
	return (vm)_mm_cmpunord_ps(a, b);
}

ISK_INLINE unsigned vm_bits(vm m)
{
	return (unsigned)_mm_movemask_ps((__m128)m);
}

ISK_INLINE int vm_any(vm m)
{
	return _mm_movemask_ps((__m128)m) != 0;
}

ISK_INLINE int vm_all(vm m)
{
	return _mm_movemask_ps((__m128)m) == 0xf;
}

ISK_INLINE vi vi_sel(vm m, vi a, vi b)
{
	return (m & a) | (~m & b);
}

ISK_INLINE vf vf_sel(vm m, vf a, vf b)
{
	return (vf)vi_sel(m, (vi)a, (vi)b);
}

ISK_INLINE vf vf_lanes(vf v, vi from)
{
	return (vf){v[from[0]], v[from[1]], v[from[2]], v[from[3]]};
}

ISK_INLINE vf vf_lookup16(const float t[16], vi i)
{
	return (vf){t[i[0] & 15], t[i[1] & 15], t[i[2] & 15], t[i[3] & 15]};
}

ISK_INLINE vf vf_lookup8(const float t[8], vi i)
{
	return (vf){t[i[0] & 7], t[i[1] & 7], t[i[2] & 7], t[i[3] & 7]};
}

ISK_INLINE vi isk_widen_u16(__m128i v)
{
	return (vi)_mm_unpacklo_epi16(v, _mm_setzero_si128());
}

ISK_INLINE vi isk_widen_u8(__m128i v)
{
	return isk_widen_u16(_mm_unpacklo_epi8(v, _mm_setzero_si128()));
}

ISK_INLINE vi isk_widen_s8(__m128i v)
{
	return isk_widen_u8(v) << 24 >> 24;
}

/* Packing saturates to signed 16 bits, so the halves are shifted down with their sign to fit. */
ISK_INLINE __m128i isk_pack_high16(vi v)
{
	__m128i high = (__m128i)(v >> 16);

	return _mm_packs_epi32(high, high);
}

ISK_INLINE void vi_store_high16_two(void *p, vi a, vi b)
{
	_mm_storeu_si128(p, _mm_packs_epi32((__m128i)(a >> 16), (__m128i)(b >> 16)));
}

ISK_INLINE __m128i isk_pack_8(vi v)
{
	__m128i words = isk_pack_high16(v << 24 >> 8);

	return _mm_packs_epi16(words, words);
}

ISK_INLINE void vi_store_8_four(void *p, const vi v[4], const int is_signed)
{
	const __m128i a = _mm_packs_epi32((__m128i)v[0], (__m128i)v[1]);
	const __m128i b = _mm_packs_epi32((__m128i)v[2], (__m128i)v[3]);

	_mm_storeu_si128(p, is_signed ? _mm_packs_epi16(a, b) : _mm_packus_epi16(a, b));
}

/*
 * If exponent and fraction are moved to their places in a float, the value is too
 * small by 2^112, denormal or not, and the product with 2^112 is exact. Only the
 * exponent of infinity and NaN needs more.
 */
ISK_INLINE vf isk_from_f16(__m128i packed)
{
	vi h = isk_widen_u16(packed);
	vi em = h & 0x7fff;
	vi v = vf_bits(vi_float(em << 13) * 0x1p112f);

	v |= (em > 0x7bff) & 0x7f800000;
	v |= (em > 0x7c00) & 0x00400000;
	return vi_float(v | (h & 0x8000) << 16);
}

/*
 * Normal results are rounded in integers, by adding half a unit less one, and one
 * more if the kept part is odd; the carry may run into the exponent. Denormal
 * results are rounded by a sum with 0.5, whose last bit is worth 2^-24.
 */
ISK_INLINE __m128i isk_to_f16(vf x)
{
	vi bits = vf_bits(x);
	vi em = bits & 0x7fffffff;
	vi normal = (vi)((vu)(em - (112 << 23) + 0xfff + (em >> 13 & 1)) >> 13);
	vi tiny = vf_bits(vi_float(em) + 0.5f) - 0x3f000000;
	vi h = vi_sel(em < 113 << 23, tiny, normal);

	h = vi_sel(em > 0x477fffff, vi_set1(0x7c00), h);
	h |= (em > 0x7f800000) & (0x200 | (em >> 13 & 0x3ff));
	return isk_pack_high16(h << 16 | (bits & INT32_MIN));
}

ISK_INLINE void vf_from_f16_pairs(vi v, vf *even, vf *odd)
{
	*even = isk_from_f16(isk_pack_high16(v << 16));
	*odd = isk_from_f16(isk_pack_high16(v));
}

#include "by_factors.h"
#include "clamped.h"
#include "four_lanes.h"
#include "long_lanes.h"
#include "narrow_elements.h"
