/* SPDX-License-Identifier: MIT */
/*
 * vec.h for 4, 8 or 16 lanes: SVE of a length that the compiler knows (-msve-vector-bits). Vectors are those of GNU C,
 * which intrinsics take and return. Masks are vectors too, because C has operators for vectors, and gcc and clang remove
 * most conversions from predicates to vectors and back.
 */
#include <arm_sve.h>

#include "lane_masks.h"

#define ISK_VECTOR_REGISTER   "w"
#define ISK_REGISTER_FLOATS   svfloat32_t
#define ISK_REGISTER_INTEGERS svint32_t
#define ISK_SLEEF(f, error) Sleef_finz_##f##dx_##error##sve
#if VL > 4
#define ISK_PAIRS "pair_sve.h"
#endif

/* Predicates: all lanes, the first n lanes, the lanes of a mask. */
#define ISK_ALL    svptrue_b32()
#define ISK_ALL_64 svptrue_b64()

ISK_INLINE svbool_t isk_first(size_t n)
{
	return svwhilelt_b32_u64(0, n);
}

ISK_INLINE svbool_t isk_first_64(size_t n)
{
	return svwhilelt_b64_u64(0, n);
}

ISK_INLINE svbool_t isk_of(vm m)
{
	return svcmpne_n_s32(ISK_ALL, m, 0);
}

ISK_INLINE svbool_t isk_of_64(vmd m)
{
	return svcmpne_n_s64(ISK_ALL_64, m, 0);
}

/* Vectors of bytes and of 16-bit elements. */
typedef int8_t isk_s8 __attribute__((vector_size(4 * VL)));
typedef uint8_t isk_u8 __attribute__((vector_size(4 * VL)));
typedef int16_t isk_s16 __attribute__((vector_size(4 * VL)));
typedef uint16_t isk_u16 __attribute__((vector_size(4 * VL)));
typedef __fp16 isk_h16 __attribute__((vector_size(4 * VL)));

ISK_INLINE vf vf_set1(float x)
{
	return svdup_n_f32(x);
}

ISK_INLINE vd vd_set1(double x)
{
	return svdup_n_f64(x);
}

ISK_INLINE vf vf_load_n(const float *p, size_t n)
{
	return svld1_f32(isk_first(n), p);
}

ISK_INLINE void vf_store_n(float *p, vf v, size_t n)
{
	svst1_f32(isk_first(n), p, v);
}

ISK_INLINE vd vd_load_n(const double *p, size_t n)
{
	return svld1_f64(isk_first_64(n), p);
}

ISK_INLINE void vd_store_n(double *p, vd v, size_t n)
{
	svst1_f64(isk_first_64(n), p, v);
}

ISK_INLINE vi vi_load_n(const int32_t *p, size_t n)
{
	return svld1_s32(isk_first(n), p);
}

ISK_INLINE void vi_store_n(int32_t *p, vi v, size_t n)
{
	svst1_s32(isk_first(n), p, v);
}

ISK_INLINE vi vi_load_bytes(const void *p, size_t n)
{
	const isk_u8 v = svld1_u8(svwhilelt_b8_u64(0, n), p);

	return (vi)v;
}

ISK_INLINE void vi_store_bytes(void *p, vi v, size_t n)
{
	svst1_u8(svwhilelt_b8_u64(0, n), p, (isk_u8)v);
}

/* An ordinary store, for the reason in vec_neon.h. */
ISK_INLINE void vi_stream(void *p, const void *from, const size_t bytes)
{
	__builtin_memcpy(p, from, bytes);
}

ISK_INLINE void vi_streamed(void)
{
}

ISK_INLINE vi vi_load_u16_n(const uint16_t *p, size_t n)
{
	const vu v = svld1uh_u32(isk_first(n), p);

	return (vi)v;
}

ISK_INLINE vi vi_load_u16(const uint16_t *p)
{
	const vu v = svld1uh_u32(ISK_ALL, p);

	return (vi)v;
}

ISK_INLINE vi vi_load_u8_n(const uint8_t *p, size_t n)
{
	const vu v = svld1ub_u32(isk_first(n), p);

	return (vi)v;
}

ISK_INLINE vi vi_load_u8(const uint8_t *p)
{
	const vu v = svld1ub_u32(ISK_ALL, p);

	return (vi)v;
}

ISK_INLINE vi vi_load_s8_n(const int8_t *p, size_t n)
{
	return svld1sb_s32(isk_first(n), p);
}

ISK_INLINE vi vi_load_s8(const int8_t *p)
{
	return svld1sb_s32(ISK_ALL, p);
}

ISK_INLINE void vi_store_8_n(void *p, vi v, size_t n)
{
	svst1b_s32(isk_first(n), p, v);
}

ISK_INLINE void vi_store_8(void *p, vi v)
{
	svst1b_s32(ISK_ALL, p, v);
}

ISK_INLINE void vi_store_high16_n(void *p, vi v, size_t n)
{
	svst1h_s32(isk_first(n), p, v >> 16);
}

ISK_INLINE void vi_store_high16(void *p, vi v)
{
	svst1h_s32(ISK_ALL, p, v >> 16);
}

ISK_INLINE void vi_store_high16_two(void *p, vi a, vi b)
{
	svst1_s16(svptrue_b16(), p, svuzp2_s16((isk_s16)a, (isk_s16)b));
}

ISK_INLINE vi vi_widen_u8(const void *p, size_t n, const int bytes)
{
	const isk_u16 words = svld1ub_u16(svwhilelt_b16_u64(0, n), p);
	const vu lanes = svld1ub_u32(isk_first(n), p);
	const vul longs = svld1ub_u64(isk_first_64(n), p);

	return bytes == 1 ? vi_load_bytes(p, n) : bytes == 2 ? (vi)words : bytes == 4 ? (vi)lanes : (vi)longs;
}

/* The instruction converts the lower half of each lane. */
ISK_INLINE vf isk_from_f16(vi v)
{
	return svcvt_f32_f16_x(ISK_ALL, (isk_h16)v);
}

ISK_INLINE vi isk_to_f16(vf v)
{
	const isk_h16 h = svcvt_f16_f32_x(ISK_ALL, v);

	return (vi)h;
}

ISK_INLINE vf vf_load_f16_n(const uint16_t *p, size_t n)
{
	return isk_from_f16(vi_load_u16_n(p, n));
}

ISK_INLINE vf vf_load_f16(const uint16_t *p)
{
	return isk_from_f16(vi_load_u16(p));
}

ISK_INLINE void vf_store_f16_n(uint16_t *p, vf v, size_t n)
{
	svst1h_s32(isk_first(n), (int16_t *)p, isk_to_f16(v));
}

ISK_INLINE void vf_store_f16(uint16_t *p, vf v)
{
	svst1h_s32(ISK_ALL, (int16_t *)p, isk_to_f16(v));
}

ISK_INLINE void vf_from_f16_pairs(vi v, vf *even, vf *odd)
{
	*even = isk_from_f16(v);
	*odd = isk_from_f16((vi)((vu)v >> 16));
}

ISK_INLINE vf vf_fma(vf a, vf b, vf c)
{
	return svmla_f32_x(ISK_ALL, c, a, b);
}

ISK_INLINE vf vf_fnma(vf a, vf b, vf c)
{
	return svmls_f32_x(ISK_ALL, c, a, b);
}

ISK_INLINE vd vd_fma(vd a, vd b, vd c)
{
	return svmla_f64_x(ISK_ALL_64, c, a, b);
}

/* The rounding error of a product, by another fma. */
ISK_INLINE vf vf_mul_low(vf a, vf b, vf h)
{
	return vf_fma(a, b, -h);
}

#define ISK_OF_ONE(word, f)                                                    \
	ISK_INLINE vf vf_##word(vf v)                                              \
	{                                                                          \
		return f##_f32_x(ISK_ALL, v);                                          \
	}                                                                          \
	ISK_INLINE vd vd_##word(vd v)                                              \
	{                                                                          \
		return f##_f64_x(ISK_ALL_64, v);                                       \
	}
ISK_OF_ONE(sqrt, svsqrt)
ISK_OF_ONE(nearest, svrintn)
ISK_OF_ONE(floor, svrintm)
ISK_OF_ONE(ceil, svrintp)
ISK_OF_ONE(trunc, svrintz)

/* Not fmin and fmax, because they have their own rules for NaNs and zeros. */
#define ISK_CHOICE(word, compare)                                              \
	ISK_INLINE vf vf_##word(vf a, vf b)                                        \
	{                                                                          \
		return svsel_f32(compare##_f32(ISK_ALL, a, b), a, b);                  \
	}                                                                          \
	ISK_INLINE vd vd_##word(vd a, vd b)                                        \
	{                                                                          \
		return svsel_f64(compare##_f64(ISK_ALL_64, a, b), a, b);               \
	}
ISK_CHOICE(min, svcmplt)
ISK_CHOICE(max, svcmpgt)

ISK_INLINE vf vf_scale2(vf v, vf sum)
{
	return svscale_f32_x(ISK_ALL, v, vf_bits(sum) - vf_bits(vf_set1(VF_ROUND(VF_BIAS))));
}

ISK_INLINE vf vf_scale8(vf v, vf sum)
{
	return svscale_f32_x(ISK_ALL, v, (vf_bits(sum) - vf_bits(vf_set1(VF_ROUND8(VF_BIAS)))) >> 3);
}

#include "clamped.h"

/* The conversion saturates and turns NaN into 0, so INT32_MIN is selected for NaN and from 2^31 on. */
ISK_INLINE vi vf_to_vi(vf v)
{
	return svsel_s32(svcmplt_n_f32(ISK_ALL, v, 0x1p31f), svcvt_s32_f32_x(ISK_ALL, vf_nearest(v)), svdup_n_s32(INT32_MIN));
}

ISK_INLINE vf vi_to_vf(vi v)
{
	return svcvt_f32_s32_x(ISK_ALL, v);
}

ISK_INLINE vd vf_low_half(vf v)
{
	return svcvt_f64_f32_x(ISK_ALL_64, svzip1_f32(v, v));
}

ISK_INLINE vd vf_high_half(vf v)
{
	return svcvt_f64_f32_x(ISK_ALL_64, svzip2_f32(v, v));
}

ISK_INLINE vf vd_halves(vd low, vd high)
{
	return svuzp1_f32(svcvt_f32_f64_x(ISK_ALL_64, low), svcvt_f32_f64_x(ISK_ALL_64, high));
}

ISK_INLINE vd vi_low_half(vi v)
{
	return svcvt_f64_s64_x(ISK_ALL_64, svunpklo_s64(v));
}

ISK_INLINE vd vi_high_half(vi v)
{
	return svcvt_f64_s64_x(ISK_ALL_64, svunpkhi_s64(v));
}

/* From 2^31 - 1/2 on, v rounds up to 2^31, which does not fit. */
ISK_INLINE vl isk_narrowed(vd v)
{
	const vi converted = svcvt_s32_f64_x(ISK_ALL_64, vd_nearest(v));

	return svsel_s64(svcmplt_n_f64(ISK_ALL_64, v, 0x1p31 - 0.5), (vl)converted, svdup_n_s64(INT32_MIN));
}

ISK_INLINE vi vd_halves_to_vi(vd low, vd high)
{
	return svuzp1_s32((vi)isk_narrowed(low), (vi)isk_narrowed(high));
}

ISK_INLINE vl vd_to_vl(vd v)
{
	return svcvt_s64_f64_x(ISK_ALL_64, vd_nearest(v));
}

ISK_INLINE vd vl_to_vd(vl v)
{
	return svcvt_f64_s64_x(ISK_ALL_64, v);
}

ISK_INLINE vmd vd_lt(vd a, vd b)
{
	return a < b;
}

ISK_INLINE vmd vd_unordered(vd a, vd b)
{
	return ~((a == a) & (b == b));
}

ISK_INLINE vm vf_unordered(vf a, vf b)
{
	return ~((a == a) & (b == b));
}

ISK_INLINE vm vm_halves(vmd low, vmd high)
{
	return svuzp1_s32((vi)low, (vi)high);
}

ISK_INLINE unsigned vm_bits(vm m)
{
	return (unsigned)svaddv_s32(ISK_ALL, m & (vi_set1(1) << vi_iota()));
}

ISK_INLINE int vm_any(vm m)
{
	return svptest_any(ISK_ALL, isk_of(m));
}

ISK_INLINE int vm_all(vm m)
{
	return !svptest_any(ISK_ALL, svcmpeq_n_s32(ISK_ALL, m, 0));
}

ISK_INLINE int vmd_any(vmd m)
{
	return svptest_any(ISK_ALL_64, isk_of_64(m));
}

ISK_INLINE vf vf_sel(vm m, vf a, vf b)
{
	return svsel_f32(isk_of(m), a, b);
}

ISK_INLINE vi vi_sel(vm m, vi a, vi b)
{
	return svsel_s32(isk_of(m), a, b);
}

ISK_INLINE vd vd_sel(vmd m, vd a, vd b)
{
	return svsel_f64(isk_of_64(m), a, b);
}

ISK_INLINE void vm_store_four(void *p, const vm m[4])
{
	const isk_s16 a = svuzp1_s16((isk_s16)m[0], (isk_s16)m[1]), b = svuzp1_s16((isk_s16)m[2], (isk_s16)m[3]);

	svst1_s8(svptrue_b8(), p, svand_n_s8_x(svptrue_b8(), svuzp1_s8((isk_s8)a, (isk_s8)b), 1));
}

ISK_INLINE isk_s16 isk_clamped_two(vi a, vi b, const int low, const int high)
{
	const vi x = svmin_n_s32_x(ISK_ALL, svmax_n_s32_x(ISK_ALL, a, low), high);
	const vi y = svmin_n_s32_x(ISK_ALL, svmax_n_s32_x(ISK_ALL, b, low), high);

	return svuzp1_s16((isk_s16)x, (isk_s16)y);
}

ISK_INLINE void vi_store_8_four(void *p, const vi v[4], const int is_signed)
{
	const int low = is_signed ? INT8_MIN : 0, high = is_signed ? INT8_MAX : UINT8_MAX;
	const isk_s8 a = (isk_s8)isk_clamped_two(v[0], v[1], low, high), b = (isk_s8)isk_clamped_two(v[2], v[3], low, high);

	svst1_s8(svptrue_b8(), p, svuzp1_s8(a, b));
}

/* Moves lane first + i to lane i. svext takes literals alone. */
ISK_INLINE vf isk_from(vf v, const int first)
{
	return first == 8   ? svext_f32(v, v, 8)
	       : first == 4 ? svext_f32(v, v, 4)
	       : first == 2 ? svext_f32(v, v, 2)
	                    : svext_f32(v, v, 1);
}

ISK_INLINE vd isk_from_64(vd v, const int first)
{
	return first == 4 ? svext_f64(v, v, 4) : first == 2 ? svext_f64(v, v, 2) : svext_f64(v, v, 1);
}

/* Folds: first vectors onto one vector, then its upper half onto the lower one, until one lane remains. */
#if VL == 4
#define ISK_FIRST_SUM(V)     (v[0] + v[2]) + (v[1] + v[3])
#define ISK_FIRST_MAXIMUM(V) V##_max(V##_max(v[0], v[2]), V##_max(v[1], v[3]))
#elif VL == 8
#define ISK_FIRST_SUM(V)     v[0] + v[1]
#define ISK_FIRST_MAXIMUM(V) V##_max(v[0], v[1])
#else
#define ISK_FIRST_SUM(V)     v[0]
#define ISK_FIRST_MAXIMUM(V) v[0]
#endif

ISK_INLINE float vf_fold_add(const vf v[16 / VL])
{
	vf a = ISK_FIRST_SUM(vf);

	if (VL > 8)
		a += isk_from(a, 8);
	if (VL > 4)
		a += isk_from(a, 4);
	a += isk_from(a, 2);
	return (a + isk_from(a, 1))[0];
}

ISK_INLINE float vf_fold_max(const vf v[16 / VL])
{
	vf a = ISK_FIRST_MAXIMUM(vf);

	if (VL > 8)
		a = vf_max(a, isk_from(a, 8));
	if (VL > 4)
		a = vf_max(a, isk_from(a, 4));
	a = vf_max(a, isk_from(a, 2));
	return vf_max(a, isk_from(a, 1))[0];
}

ISK_INLINE double vd_fold_add(const vd v[16 / VL])
{
	vd a = ISK_FIRST_SUM(vd);

	if (VD > 4)
		a += isk_from_64(a, 4);
	if (VD > 2)
		a += isk_from_64(a, 2);
	return (a + isk_from_64(a, 1))[0];
}

ISK_INLINE double vd_fold_max(const vd v[16 / VL])
{
	vd a = ISK_FIRST_MAXIMUM(vd);

	if (VD > 4)
		a = vd_max(a, isk_from_64(a, 4));
	if (VD > 2)
		a = vd_max(a, isk_from_64(a, 2));
	return vd_max(a, isk_from_64(a, 1))[0];
}

ISK_INLINE vf vf_lanes(vf v, vi from)
{
	return svtbl_f32(v, (vu)from);
}

/* Looks up t[i] in the VL elements of t from index `first` on; 0 if i is outside of them. */
ISK_INLINE vi isk_part(const float *t, vi i, const int first)
{
	const vf v = svtbl_f32(vf_load(t + first), (vu)(i - first));

	return vf_bits(v);
}

ISK_INLINE vf vf_lookup16(const float t[16], vi i)
{
	i &= 15;
#if VL == 4
	return vi_float(isk_part(t, i, 0) | isk_part(t, i, 4) | isk_part(t, i, 8) | isk_part(t, i, 12));
#elif VL == 8
	return vi_float(isk_part(t, i, 0) | isk_part(t, i, 8));
#else
	return vi_float(isk_part(t, i, 0));
#endif
}

ISK_INLINE vf vf_lookup8(const float t[8], vi i)
{
	i &= 7;
#if VL == 4
	return vi_float(isk_part(t, i, 0) | isk_part(t, i, 4));
#else
	return svtbl_f32(vf_load_n(t, 8), (vu)i);
#endif
}

#if VL == 16
ISK_INLINE vd vd_lookup16(const double t[16], vl i)
{
	const vd low = svtbl_f64(vd_load(t), (vul)(i & 15)), high = svtbl_f64(vd_load(t + 8), (vul)((i & 15) - 8));

	return (vd)((vl)low | (vl)high);
}
#endif

ISK_INLINE vi vi_raise(vi v, const int byte)
{
	return v << (24 - 8 * byte) & (int32_t)0xff000000;
}

ISK_INLINE vi vi_min_u16(vi a, vi b)
{
	const isk_u16 v = svmin_u16_x(svptrue_b16(), (isk_u16)a, (isk_u16)b);

	return (vi)v;
}

ISK_INLINE vi vi_multiply_pairs(vi a, vi b)
{
	return (vi)((vu)(a << 16 >> 16) * (vu)(b << 16 >> 16) + (vu)(a >> 16) * (vu)(b >> 16));
}

ISK_INLINE vul vul_mul_low(vul a, vul b)
{
	return svmul_u64_x(ISK_ALL_64, a & 0xffffffff, b & 0xffffffff);
}

#define ISK_SATURATED(word, f)                                                 \
	ISK_INLINE vi vi_##word##_saturated(vi a, vi b, const int bytes, const int is_signed) \
	{                                                                          \
		const isk_s16 words = f##_s16((isk_s16)a, (isk_s16)b);                 \
		const isk_s8 with_sign = f##_s8((isk_s8)a, (isk_s8)b);                 \
		const isk_u8 without = f##_u8((isk_u8)a, (isk_u8)b);                   \
                                                                               \
		return bytes == 2 ? (vi)words : is_signed ? (vi)with_sign : (vi)without; \
	}
ISK_SATURATED(add, svqadd)
ISK_SATURATED(sub, svqsub)

/*
 * Within each 128 bits. trn takes the even or the odd elements of both vectors in turn, which for 64-bit elements are the
 * lower or upper halves. zip takes elements of half a vector, so uzp first collects the halves of all 128 bits there.
 */
#define ISK_UNPACK(word, half)                                                 \
	ISK_INLINE vi vi_unpack_##word(vi a, vi b, const int bytes)                \
	{                                                                          \
		const vl x = svuzp##half##_s64((vl)a, (vl)a), y = svuzp##half##_s64((vl)b, (vl)b); \
		const isk_s8 v1 = svzip1_s8((isk_s8)x, (isk_s8)y);                     \
		const isk_s16 v2 = svzip1_s16((isk_s16)x, (isk_s16)y);                 \
		const vi v4 = svzip1_s32((vi)x, (vi)y);                                \
		const vl v8 = svtrn##half##_s64((vl)a, (vl)b);                         \
                                                                               \
		return bytes == 1 ? (vi)v1 : bytes == 2 ? (vi)v2 : bytes == 4 ? v4 : (vi)v8; \
	}
ISK_UNPACK(low, 1)
ISK_UNPACK(high, 2)

ISK_INLINE void vi_store_pairs(int32_t *p, vi a, vi b)
{
	vi_store(p, svzip1_s32(a, b));
	vi_store(p + VL, svzip2_s32(a, b));
}

/* The lower, or upper, half of a and that of b, for vectors of 256 or 512 bits. */
ISK_INLINE vi isk_lower_halves_of(vi a, vi b)
{
	return svsel_s32(isk_first(VL / 2), a, svext_s32(b, b, VL / 2));
}

ISK_INLINE vi isk_upper_halves_of(vi a, vi b)
{
	return svsel_s32(isk_first(VL / 2), svext_s32(a, a, VL / 2), b);
}

#if VL == 4

ISK_INLINE void vi_exchange_lanes(vi v[1])
{
	(void)v;
}

ISK_INLINE void vi_load_exchanged(vi v[1], const void *p, size_t step)
{
	(void)step;
	v[0] = vi_load(p);
}

#elif VL == 8

ISK_INLINE void vi_exchange_lanes(vi v[2])
{
	const vi a = v[0], b = v[1];

	v[0] = isk_lower_halves_of(a, b);
	v[1] = isk_upper_halves_of(a, b);
}

/* Each load puts its four lanes into both halves, so a selection puts two loads together. */
ISK_INLINE void vi_load_exchanged(vi v[2], const void *p, size_t step)
{
	const int32_t *a = p, *b = (const void *)((const char *)p + step);
	const svbool_t first = isk_first(4);

	v[0] = svsel_s32(first, svld1rq_s32(ISK_ALL, a), svld1rq_s32(ISK_ALL, b));
	v[1] = svsel_s32(first, svld1rq_s32(ISK_ALL, a + 4), svld1rq_s32(ISK_ALL, b + 4));
}

#else

/* Exchanges the 128-bit lanes 1 and 2, which turns alternating lanes into halves, and back. */
ISK_INLINE vi isk_halves_crossed(vi v)
{
	const vl crossed = svtbl_s64((vl)v, (vul){0, 1, 4, 5, 2, 3, 6, 7});

	return (vi)crossed;
}

ISK_INLINE void isk_exchange_within(vi v[2])
{
	const vi a = isk_halves_crossed(v[0]), b = isk_halves_crossed(v[1]);

	v[0] = isk_halves_crossed(isk_lower_halves_of(a, b));
	v[1] = isk_halves_crossed(isk_upper_halves_of(a, b));
}

ISK_INLINE void vi_exchange_lanes(vi v[4])
{
	const vi a = v[0], b = v[1], c = v[2], d = v[3];

	v[0] = isk_lower_halves_of(a, c);
	v[1] = isk_lower_halves_of(b, d);
	v[2] = isk_upper_halves_of(a, c);
	v[3] = isk_upper_halves_of(b, d);
	isk_exchange_within(v);
	isk_exchange_within(v + 2);
}

ISK_INLINE void vi_load_exchanged(vi v[4], const void *p, size_t step)
{
#pragma GCC unroll 4
	for (size_t i = 0; i < 4; i++)
		v[i] = vi_load((const void *)((const char *)p + i * step));
	vi_exchange_lanes(v);
}

#endif

#define VI_DOT_ONE_IS_PRODUCT
#define VI_DOT_STEPS 1

#ifdef __ARM_FEATURE_SVE_MATMUL_INT8
ISK_INLINE vi vi_dot(vi sum, vi a, vi b)
{
	return svusdot_s32(sum, (isk_u8)a, (isk_s8)b);
}
#else
#define VI_DOT_IS_SIGNED 1

ISK_INLINE vi vi_dot(vi sum, vi a, vi b)
{
	return svdot_s32(sum, (isk_s8)a, (isk_s8)b);
}
#endif
