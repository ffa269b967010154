/* SPDX-License-Identifier: MIT */
/* vec.h for 4 lanes: Advanced SIMD, which every AArch64 has, and its products of bytes, if the row allows them. */
#include "neon.h"
#include "lane_masks.h"

#define ISK_SLEEF(f, error) Sleef_finz_##f##d2_##error##advsimd

ISK_INLINE vf vf_set1(float x)
{
	return vdupq_n_f32(x);
}

ISK_INLINE vi vi_multiply_pairs(vi a, vi b)
{
	const int16x8_t x = (int16x8_t)a, y = (int16x8_t)b;

	return vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y));
}

ISK_INLINE vi vi_widen_u8(const void *p, size_t n, const int bytes)
{
	const uint8x16_t b = (uint8x16_t)isk_load_bytes(p, n);
	const uint16x8_t words = vmovl_u8(vget_low_u8(b));
	const uint32x4_t lanes = vmovl_u16(vget_low_u16(words));

	return bytes == 1   ? (vi)b
	       : bytes == 2 ? (vi)words
	       : bytes == 4 ? (vi)lanes
	                    : (vi)vmovl_u32(vget_low_u32(lanes));
}

ISK_INLINE vm vm_halves(vmd low, vmd high)
{
	return vuzp1q_s32((int32x4_t)low, (int32x4_t)high);
}

ISK_INLINE void vm_store_four(void *p, const vm m[4])
{
	const int16x8_t a = vuzp1q_s16((int16x8_t)m[0], (int16x8_t)m[1]);
	const int16x8_t b = vuzp1q_s16((int16x8_t)m[2], (int16x8_t)m[3]);

	vst1q_s8(p, vandq_s8(vuzp1q_s8((int8x16_t)a, (int8x16_t)b), vdupq_n_s8(1)));
}

#define ISK_SATURATED(word, f)                                                 \
	ISK_INLINE vi vi_##word##_saturated(vi a, vi b, const int bytes, const int is_signed) \
	{                                                                          \
		return bytes == 2  ? (vi)f##_s16((int16x8_t)a, (int16x8_t)b)           \
		       : is_signed ? (vi)f##_s8((int8x16_t)a, (int8x16_t)b)            \
		                   : (vi)f##_u8((uint8x16_t)a, (uint8x16_t)b);         \
	}
ISK_SATURATED(add, vqaddq)
ISK_SATURATED(sub, vqsubq)

ISK_INLINE vul vul_mul_low(vul a, vul b)
{
	return vmull_u32(vmovn_u64(a), vmovn_u64(b));
}

ISK_INLINE vi vi_min_u16(vi a, vi b)
{
	return (vi)vminq_u16((uint16x8_t)a, (uint16x8_t)b);
}

/*
 * An ordinary store. Arm's cores, from Cortex-A53 on, detect a run of stores that fills cache lines by themselves, and then
 * neither read nor keep these lines; stnp, which stores two registers, would only hint at that. Stores are ordered only by
 * the barrier of the thread that hands the data on, so vi_streamed() has nothing to do.
 */
ISK_INLINE void vi_stream(void *p, const void *from, const size_t bytes)
{
	__builtin_memcpy(p, from, bytes);
}

ISK_INLINE void vi_streamed(void)
{
}

ISK_INLINE vi vi_raise(vi v, const int byte)
{
	return v << (24 - 8 * byte) & (int32_t)0xff000000;
}

ISK_INLINE vi vi_unpack_low(vi a, vi b, const int bytes)
{
	return bytes == 1   ? (vi)vzip1q_s8((int8x16_t)a, (int8x16_t)b)
	       : bytes == 2 ? (vi)vzip1q_s16((int16x8_t)a, (int16x8_t)b)
	       : bytes == 4 ? (vi)vzip1q_s32(a, b)
	                    : (vi)vzip1q_s64((int64x2_t)a, (int64x2_t)b);
}

ISK_INLINE vi vi_unpack_high(vi a, vi b, const int bytes)
{
	return bytes == 1   ? (vi)vzip2q_s8((int8x16_t)a, (int8x16_t)b)
	       : bytes == 2 ? (vi)vzip2q_s16((int16x8_t)a, (int16x8_t)b)
	       : bytes == 4 ? (vi)vzip2q_s32(a, b)
	                    : (vi)vzip2q_s64((int64x2_t)a, (int64x2_t)b);
}

ISK_INLINE void vi_store_pairs(int32_t *p, vi a, vi b)
{
	vi_store(p, vzip1q_s32(a, b));
	vi_store(p + VL, vzip2q_s32(a, b));
}

ISK_INLINE vf vf_fma(vf a, vf b, vf c)
{
	return vfmaq_f32(c, a, b);
}

/* Loads 32 bits into the lowest lane, from which instructions take them for all lanes. Compilers would add an instruction
 * to set the other lanes. */
ISK_INLINE vi isk_load_word(const void *p)
{
	typedef uint32_t word __attribute__((aligned(1), may_alias));
	vi v;

	__asm__("ldr %s0, %1" : "=w"(v) : "m"(*(const word *)p));
	return v;
}

#define VF_HAS_WORDS

ISK_INLINE vf vf_word(const float *p)
{
	return (vf)isk_load_word(p);
}

/* Assembly, because with the intrinsic gcc 12 loads all rows of a tile first, and spills sums for them. */
ISK_INLINE vf vf_fma_word(vf a, vf b, vf c)
{
	__asm__("fmla %0.4s, %1.4s, %2.s[0]" : "+w"(c) : "w"(b), "w"(a));
	return c;
}

ISK_INLINE vf vf_fnma(vf a, vf b, vf c)
{
	return vfmsq_f32(c, a, b);
}

/* The rounding error of a product, by another fma. */
ISK_INLINE vf vf_mul_low(vf a, vf b, vf h)
{
	return vf_fma(a, b, -h);
}

ISK_INLINE vf vf_sqrt(vf v)
{
	return vsqrtq_f32(v);
}

ISK_INLINE vf vf_min(vf a, vf b)
{
	return isk_min4(a, b);
}

ISK_INLINE vf vf_max(vf a, vf b)
{
	return isk_max4(a, b);
}

#define ISK_WHOLE(word, f)                                                     \
	ISK_INLINE vf vf_##word(vf v)                                              \
	{                                                                          \
		return f##_f32(v);                                                     \
	}                                                                          \
	ISK_INLINE vd vd_##word(vd v)                                              \
	{                                                                          \
		return f##_f64(v);                                                     \
	}
ISK_WHOLE(nearest, vrndnq)
ISK_WHOLE(floor, vrndmq)
ISK_WHOLE(ceil, vrndpq)
ISK_WHOLE(trunc, vrndq)

ISK_INLINE vd vd_set1(double x)
{
	return vdupq_n_f64(x);
}

ISK_INLINE vd vf_low_half(vf v)
{
	return vcvt_f64_f32(vget_low_f32(v));
}

ISK_INLINE vd vf_high_half(vf v)
{
	return vcvt_high_f64_f32(v);
}

ISK_INLINE vf vd_halves(vd low, vd high)
{
	return vcvt_high_f32_f64(vcvt_f32_f64(low), high);
}

ISK_INLINE vd vd_fma(vd a, vd b, vd c)
{
	return vfmaq_f64(c, a, b);
}

ISK_INLINE vd vd_sqrt(vd v)
{
	return vsqrtq_f64(v);
}

ISK_INLINE vd vd_min(vd a, vd b)
{
	return isk_min2(a, b);
}

ISK_INLINE vd vd_max(vd a, vd b)
{
	return isk_max2(a, b);
}

ISK_INLINE vmd vd_lt(vd a, vd b)
{
	return a < b;
}

ISK_INLINE vmd vd_unordered(vd a, vd b)
{
	return ~((a == a) & (b == b));
}

ISK_INLINE int vmd_any(vmd m)
{
	return vmaxvq_u32((uint32x4_t)m) != 0;
}

ISK_INLINE vd vd_sel(vmd m, vd a, vd b)
{
	return vbslq_f64((uint64x2_t)m, a, b);
}

ISK_INLINE vd vi_low_half(vi v)
{
	return vcvtq_f64_s64(vmovl_s32(vget_low_s32(v)));
}

ISK_INLINE vd vi_high_half(vi v)
{
	return vcvtq_f64_s64(vmovl_high_s32(v));
}

/* The conversion saturates and turns NaN into 0, so INT32_MIN is selected for NaN, and from 2^31 - 1/2 on, because such a v
 * rounds up to 2^31. */
ISK_INLINE int32x2_t isk_narrowed(vd v)
{
	return vqmovn_s64(vbslq_s64(vcltq_f64(v, vd_set1(0x1p31 - 0.5)), vcvtnq_s64_f64(v), vdupq_n_s64(INT32_MIN)));
}

ISK_INLINE vi vd_halves_to_vi(vd low, vd high)
{
	return vcombine_s32(isk_narrowed(low), isk_narrowed(high));
}

ISK_INLINE vl vd_to_vl(vd v)
{
	return vcvtnq_s64_f64(v);
}

ISK_INLINE vd vl_to_vd(vl v)
{
	return vcvtq_f64_s64(v);
}

ISK_INLINE vi vf_to_vi(vf v)
{
	return vbslq_s32(vcltq_f32(v, vf_set1(0x1p31f)), vcvtnq_s32_f32(v), vdupq_n_s32(INT32_MIN));
}

ISK_INLINE vf vi_to_vf(vi v)
{
	return vcvtq_f32_s32(v);
}

ISK_INLINE vm vf_unordered(vf a, vf b)
{
	return ~((a == a) & (b == b));
}

ISK_INLINE unsigned vm_bits(vm m)
{
	return (unsigned)vaddvq_s32(m & (vi){1, 2, 4, 8});
}

ISK_INLINE int vm_any(vm m)
{
	return vmaxvq_u32((uint32x4_t)m) != 0;
}

ISK_INLINE int vm_all(vm m)
{
	return vminvq_u32((uint32x4_t)m) != 0;
}

ISK_INLINE vi vi_sel(vm m, vi a, vi b)
{
	return vbslq_s32((uint32x4_t)m, a, b);
}

ISK_INLINE vf vf_sel(vm m, vf a, vf b)
{
	return vbslq_f32((uint32x4_t)m, a, b);
}

/* The indices of the bytes of lane i in a table. */
ISK_INLINE uint8x16_t isk_bytes_of_lane(vi i)
{
	return (uint8x16_t)(i * 0x04040404 + 0x03020100);
}

ISK_INLINE vf vf_lanes(vf v, vi from)
{
	return (vf)vqtbl1q_u8((uint8x16_t)v, isk_bytes_of_lane(from));
}

ISK_INLINE vf vf_lookup16(const float t[16], vi i)
{
	return (vf)vqtbl4q_u8(vld1q_u8_x4((const uint8_t *)t), isk_bytes_of_lane(i & 15));
}

ISK_INLINE vf vf_lookup8(const float t[8], vi i)
{
	return (vf)vqtbl2q_u8(vld1q_u8_x2((const uint8_t *)t), isk_bytes_of_lane(i & 7));
}

ISK_INLINE vi isk_widen_u16(isk_b16 v)
{
	return (vi)vmovl_u16(vget_low_u16((uint16x8_t)v));
}

ISK_INLINE vi isk_widen_u8(isk_b16 v)
{
	return isk_widen_u16((isk_b16)vmovl_u8(vget_low_u8((uint8x16_t)v)));
}

ISK_INLINE vi isk_widen_s8(isk_b16 v)
{
	return vmovl_s16(vget_low_s16(vmovl_s8(vget_low_s8((int8x16_t)v))));
}

ISK_INLINE isk_b16 isk_pack_high16(vi v)
{
	return (isk_b16)vuzp2q_s16((int16x8_t)v, (int16x8_t)v);
}

ISK_INLINE void vi_store_high16_two(void *p, vi a, vi b)
{
	vst1q_s16(p, vuzp2q_s16((int16x8_t)a, (int16x8_t)b));
}

ISK_INLINE isk_b16 isk_pack_8(vi v)
{
	const int8x16_t words = (int8x16_t)vuzp1q_s16((int16x8_t)v, (int16x8_t)v);

	return (isk_b16)vuzp1q_s8(words, words);
}

ISK_INLINE void vi_store_8_four(void *p, const vi v[4], const int is_signed)
{
	const int16x8_t a = vqmovn_high_s32(vqmovn_s32(v[0]), v[1]), b = vqmovn_high_s32(vqmovn_s32(v[2]), v[3]);

	if (is_signed)
		vst1q_s8(p, vqmovn_high_s16(vqmovn_s16(a), b));
	else
		vst1q_u8(p, vqmovun_high_s16(vqmovun_s16(a), b));
}

ISK_INLINE vf isk_from_f16(isk_b16 h)
{
	return vcvt_f32_f16(vget_low_f16((float16x8_t)h));
}

ISK_INLINE isk_b16 isk_to_f16(vf v)
{
	return (isk_b16)vcombine_f16(vcvt_f16_f32(v), vdup_n_f16(0));
}

ISK_INLINE void vf_from_f16_pairs(vi v, vf *even, vf *odd)
{
	const int16x8_t h = (int16x8_t)v;

	*even = isk_from_f16((isk_b16)vuzp1q_s16(h, h));
	*odd = isk_from_f16((isk_b16)vuzp2q_s16(h, h));
}

#define VI_DOT_ONE_IS_PRODUCT
#define VI_DOT_HAS_WORDS

#if defined(__ARM_FEATURE_MATMUL_INT8)
#define VI_DOT_STEPS 1

ISK_INLINE vi vi_dot_word(const void *p)
{
	return isk_load_word(p);
}

ISK_INLINE vi vi_dot(vi sum, vi a, vi b)
{
	return vsudotq_laneq_s32(sum, (int8x16_t)b, (uint8x16_t)a, 0);
}

ISK_INLINE vi vi_dot_sum(vi sum, vi a)
{
	return (vi)vdotq_u32((uint32x4_t)sum, (uint8x16_t)a, vdupq_n_u8(1));
}
#elif defined(__ARM_FEATURE_DOTPROD)
#define VI_DOT_STEPS     1
#define VI_DOT_IS_SIGNED 1

ISK_INLINE vi vi_dot_word(const void *p)
{
	return isk_load_word(p);
}

ISK_INLINE vi vi_dot(vi sum, vi a, vi b)
{
	return vdotq_laneq_s32(sum, (int8x16_t)b, (int8x16_t)a, 0);
}

ISK_INLINE vi vi_dot_sum(vi sum, vi a)
{
	return vdotq_s32(sum, (int8x16_t)a, vdupq_n_s8(1));
}
#else
/*
 * One instruction adds four 16-bit products to four sums, from the lower or the upper halves of two vectors. So each half
 * holds one byte of each column: bytes 0 and 2 in the first step, 1 and 3 in the second. The form that takes one element of
 * a is not used, because that a must be in one of 16 registers, and gcc moves it there each time.
 */
ISK_INLINE vi vi_dot_b(vi b, int step)
{
	const uint8x16_t order = {0, 4, 8, 12, 2, 6, 10, 14, 1, 5, 9, 13, 3, 7, 11, 15};
	const int8x16_t of_step = vqtbl1q_s8((int8x16_t)b, order);

	return (vi)(step ? vmovl_high_s8(of_step) : vmovl_s8(vget_low_s8(of_step)));
}

ISK_INLINE vi vi_dot_word(const void *p)
{
	const uint8x16_t order = {0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3};

	return (vi)vqtbl1q_u8((uint8x16_t)isk_load_word(p), order);
}

ISK_INLINE vi vi_dot(vi sum, vi a, vi b)
{
	const int16x8_t x = (int16x8_t)a, y = (int16x8_t)b;

	return vmlal_high_s16(vmlal_s16(sum, vget_low_s16(x), vget_low_s16(y)), x, y);
}

ISK_INLINE vi vi_dot_sum(vi sum, vi a)
{
	return (vi)vpadalq_u16((uint32x4_t)sum, (uint16x8_t)a);
}
#endif

#include "by_factors.h"
#include "clamped.h"
#include "four_lanes.h"
#include "narrow_elements.h"
