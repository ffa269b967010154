/* SPDX-License-Identifier: MIT */
/*
 * The vocabulary in which kernels are written: vectors of VL lanes of 32 bits, or VD
 * of 64. Arithmetic, shifts and integer logic are the C operators on vf (float), vd
 * (double), vi (int32_t), vu (uint32_t), vl (int64_t) and vul (uint64_t). This header
 * has the operations that C lacks. Each of its functions gives the same bits at every
 * VL, except fma and fnma at baseline, which round twice. Functions for either kind
 * of lanes are in lanes.h, elements of any type in memory in typed.h, bf16 in bf16.h,
 * products of bytes in dot.h.
 */
#ifndef ISK_VEC_H
#define ISK_VEC_H

#include <stddef.h>
#include <stdint.h>

#define VL         ISK_LANES
#define VD         (VL / 2)
#define ISK_INLINE static inline __attribute__((always_inline))

typedef float vf __attribute__((vector_size(4 * VL)));
typedef double vd __attribute__((vector_size(4 * VL)));
typedef int32_t vi __attribute__((vector_size(4 * VL)));
typedef uint32_t vu __attribute__((vector_size(4 * VL)));
typedef int64_t vl __attribute__((vector_size(4 * VL)));
typedef uint64_t vul __attribute__((vector_size(4 * VL)));

/* These vectors in memory of any type and alignment, because packed matrices may lie anywhere. */
typedef float vf_mem __attribute__((vector_size(4 * VL), aligned(1), may_alias));
typedef double vd_mem __attribute__((vector_size(4 * VL), aligned(1), may_alias));
typedef int32_t vi_mem __attribute__((vector_size(4 * VL), aligned(1), may_alias));

/* 16 bytes of any type. */
typedef long long isk_b16 __attribute__((vector_size(16), may_alias));
typedef long long isk_b16_mem __attribute__((vector_size(16), aligned(1), may_alias));

/*
 * Adding VF_ROUND(bias) to a float below 2^22 rounds it to an integer n and
 * leaves n + bias in the low bits of the sum: shifted left by 23, an exponent.
 */
#define VF_ROUND(bias) (0x1.8p23f + (bias))
#define VF_BIAS        254

/* Rounds a float below 2^19 to eighths in the same way. The eighths are then the 3 lowest bits. */
#define VF_ROUND8(bias) (0x1.8p20f + (bias))

ISK_INLINE vf vf_load(const float *p)
{
	return *(const vf_mem *)p;
}

ISK_INLINE void vf_store(float *p, vf v)
{
	*(vf_mem *)p = v;
}

ISK_INLINE vd vd_load(const double *p)
{
	return *(const vd_mem *)p;
}

ISK_INLINE void vd_store(double *p, vd v)
{
	*(vd_mem *)p = v;
}

ISK_INLINE vi vi_load(const int32_t *p)
{
	return *(const vi_mem *)p;
}

ISK_INLINE void vi_store(int32_t *p, vi v)
{
	*(vi_mem *)p = v;
}

ISK_INLINE vi vi_set1(int32_t x)
{
	return (vi){0} + x;
}

/* Each byte is x. */
ISK_INLINE vi vi_set1_u8(uint8_t x)
{
	return vi_set1((int32_t)(x * 0x01010101u));
}

/* 0, 1, 2 and so on. */
ISK_INLINE vi vi_iota(void)
{
	vi v = {0};

#pragma GCC unroll 16
	for (int i = 0; i < VL; i++)
		v[i] = i;
	return v;
}

/* The same bits under another type. */
ISK_INLINE vi vf_bits(vf v)
{
	return (vi)v;
}

ISK_INLINE vf vi_float(vi v)
{
	return (vf)v;
}

/*
 * The functions that each vocabulary defines. n is 0..VL; the _n forms touch only
 * the first n elements in memory, and lanes not loaded are 0.
 *
 * vm              a mask, one truth a lane
 * vf_set1(x)
 * vf_load_n(p, n) vf_store_n(p, v, n) vi_load_n(p, n) vi_store_n(p, v, n)
 * vf_fma(a, b, c) vf_fnma(a, b, c)     a * b + c and c - a * b, rounded once
 * vf_word(p) vf_fma_word(a, b, c)      the float at p, and that times b plus c, rounded once
 * vf_sqrt(v)
 * vf_nearest floor ceil trunc(v)       rounded to an integer, with the sign of v: ties to even, down, up, towards 0
 * vf_min(a, b) vf_max(a, b)            a < b ? a : b and a > b ? a : b, so b if they are unordered
 * vf_to_vi(v)     the nearest integer, ties to even; INT32_MIN if it does not fit
 * vi_to_vf(v)
 * vf_mul_low(a, b, h)                  a * b - h for an h near a * b: the rounding error of a product
 * vf_scale2(v, sum)                    v * 2^n, rounded once, for sum = n + VF_ROUND(VF_BIAS), n from
 *                                      -252 to 254 and normal v * 2^(n / 2)
 * vf_scale8(v, sum)                    v * 2^floor(n), for sum = n + VF_ROUND8(VF_BIAS) and an n in eighths
 * vf_scalable(x, low, high)            x clamped to [low, high], NaN unchanged. On ISAs whose vf_scale8() takes any n,
 *                                      infinities and NaN too, x itself.
 * vf_rest(r, most)                     r. On ISAs whose vf_scalable() does not clamp, r clamped to [-most, most], NaN
 *                                      replaced.
 * vf_lt le gt ge eq(a, b) vi_eq gt(a, b) -> vm
 * vf_unordered(a, b)                  whether either is NaN
 * vm_halves(low, high)                the mask whose halves are these masks of 64-bit lanes
 * vm_store_four(p, m)                 a byte, 0 or 1, for each truth of four masks
 * vm_first(n)     true in the first n lanes
 * vm_bits(m)      lane i as bit i
 * vm_and or(a, b) vm_not(m) vm_any(m) vm_all(m)
 * vf_sel(m, a, b) vi_sel(m, a, b)      m ? a : b
 * vf_lanes(v, from)                    lane i is lane from[i] of v, and from[i] is below VL
 * vf_lookup16(t, i) vf_lookup8(t, i)   t[i % 16] of 16 floats, or t[i % 8] of 8
 * vf_fold_add(v) vf_fold_max(v)        16 lanes, in 16 / VL vectors, to one: lane j and lane j + 8, then + 4, 2, 1
 * vi_load_u16 vi_load_u8 vi_load_s8(p), also with _n: narrow elements widened
 * vi_load_bytes(p, n)                  the first min(n, 4 * VL) bytes, the others 0
 * vi_widen_u8(p, n, bytes)             the first n bytes, each as an element of 1, 2, 4 or 8 bytes; n elements fit a vector
 * vi_store_bytes(p, v, n)              the first min(n, 4 * VL) bytes
 * vi_stream(p, from, bytes)            stores 4 * VL or 2 * VL bytes to an address that is a multiple of `bytes`, past the
 *                                      caches
 * vi_streamed()                        orders streamed data before later stores, for all who see both
 * vul_mul_low(a, b)                    for 64-bit lanes, the products of their lower halves
 * vi_unpack_low(a, b, bytes)           within each 128 bits, elements of 1, 2, 4 or 8 bytes of the lower
 * vi_unpack_high(a, b, bytes)          or upper halves of a and b in turn: a0 b0 a1 b1 ...
 * vi_raise(v, byte)                    byte 0 to 3 of each lane as its highest byte, and 0 below it
 * vi_add_saturated(a, b, bytes, is_signed) vi_sub_saturated
 *                                      of signed or unsigned bytes or signed 16 bits, clamped to the range of their type
 * vi_min_u16(a, b)                    the lesser of each 16 bits, unsigned
 * vi_multiply_pairs(a, b)            the sum of the two signed 16-bit products of each lane
 * vi_exchange_lanes(v)                 VL / 4 vectors of VL / 4 128-bit lanes each, transposed
 * vi_load_exchanged(v, p, step)        the same for vectors that are step bytes apart in memory
 * vi_store_pairs(p, a, b)              a0 b0 a1 b1 ... of all lanes, in two vectors
 * vi_dot(sum, a, b)                    if there is an instruction for it: see dot.h
 * vi_store_8 vi_store_high16(p, v), also with _n: the lowest 8 or highest 16 bits of each lane
 * vi_store_high16_two(p, a, b)         the highest 16 bits of each lane of two vectors
 * vi_store_8_four(p, v, is_signed)     four vectors, saturated to s8 or u8
 * vf_load_f16(p) vf_store_f16(p, v), also with _n: IEEE binary16, ties to even, NaNs made quiet
 * vf_from_f16_pairs(v, even, odd)      pairs of binary16, as they lie in 32-bit lanes: the lower, then the upper ones
 *
 * vf_low_half(v) vf_high_half(v)        the lower or upper half of the lanes, as f64
 * vd_halves(low, high)                 both halves as one vector, rounded to f32
 * vi_low_half(v) vi_high_half(v)        the lower or upper half of the integer lanes, as f64
 * vd_halves_to_vi(low, high)           both halves as one vector, rounded to 32-bit integers
 * vl_to_vd(v)                          64-bit integers rounded to f64
 * vd_to_vl(v)                          the nearest integer, ties to even, for -2^63 <= v < 2^63
 * vd_lookup16(t, i)                    t[i % 16] of 16 f64, if VL is 16
 *
 * A vocabulary also defines ISK_VECTOR_REGISTER, the constraint of asm() for a vector, and ISK_SLEEF(f, error), SLEEF's
 * name of its deterministic function f of f64 for such vectors.
 *
 * The same for lanes of 64 bits: vmd, vd_set1, vd_load_n, vd_store_n, vd_fma, vd_sqrt, vd_nearest floor ceil trunc, vd_min
 * and vd_max, vd_lt le eq, vl_lt eq, vd_sel, vd_unordered, vmd_first, vmd_any, vd_fold_add and vd_fold_max (8 lanes).
 */
#include ISK_VOCABULARY

/* Whether CPUs that run this ISA may execute an FMA of VL lanes in two halves. */
#ifndef VF_IS_IN_HALVES
#define VF_IS_IN_HALVES 0
#endif

/* Neighbours in each pair of lanes change places. */
ISK_INLINE vf vf_swap_pairs(vf v)
{
#if VL == 4
	return __builtin_shufflevector(v, v, 1, 0, 3, 2);
#elif VL == 8
	return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
#else
	return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
#endif
}

#ifndef VF_HAS_WORDS
ISK_INLINE vf vf_word(const float *p)
{
	return vf_set1(*p);
}

ISK_INLINE vf vf_fma_word(vf a, vf b, vf c)
{
	return vf_fma(a, b, c);
}
#endif

ISK_INLINE vf vf_abs(vf v)
{
	return vi_float(vf_bits(v) & 0x7fffffff);
}

ISK_INLINE vf vf_neg_abs(vf v)
{
	return vi_float(vf_bits(v) | INT32_MIN);
}

ISK_INLINE vm vf_isnan(vf v)
{
	return vf_unordered(v, v);
}

/* The types as which asm() takes vectors, because clang has no registers for GNU vectors of SVE. */
#ifndef ISK_REGISTER_FLOATS
#define ISK_REGISTER_FLOATS   vf
#define ISK_REGISTER_INTEGERS vi
#endif

/*
 * Forces v to be computed here. Compilers delay values that are used late and
 * meanwhile hold all their operands, which takes more registers.
 */
ISK_INLINE vf vf_now(vf v)
{
	ISK_REGISTER_FLOATS r = v;

	__asm__ volatile("" : "+" ISK_VECTOR_REGISTER(r));
	return r;
}

/* Fixes the place of v's computation among others, but leaves it out if v is not used. */
ISK_INLINE vf vf_here(vf v)
{
	ISK_REGISTER_FLOATS r = v;

	__asm__("" : "+" ISK_VECTOR_REGISTER(r));
	return r;
}

/* The same for integers, because gcc 12 copies integers that pass through vf_here() from register to register. */
ISK_INLINE vi vi_here(vi v)
{
	ISK_REGISTER_INTEGERS r = v;

	__asm__("" : "+" ISK_VECTOR_REGISTER(r));
	return r;
}

#include "bf16.h"
#include "dot.h"
#include "lanes.h"
#include "small_floats.h"
#include "typed.h"

#endif
