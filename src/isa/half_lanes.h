/* SPDX-License-Identifier: MIT */
/*
 * Lanes of f16, for a source all of whose kernels are of f16 and round each result once. If the ISA computes with f16,
 * vh is a vector of 2 * VL of them, and the loops and the functions of lanes.h use it in place of vf. Elsewhere this
 * header changes nothing: f16 are computed in lanes of f32 and rounded by their stores.
 *
 * Both give the same bits. f32 has 24 bits and f16 11, and one operation of +, -, *, / or the square root that is rounded
 * to 2 * 11 + 2 bits and then to 11 is rounded correctly. That theorem is of unbounded exponents. Results that are
 * denormal in f16, where fewer bits remain, are normal in f32:
 *
 * - A sum is a multiple of 2^-24, the least denormal, so that it is exact there.
 * - A product has 22 bits, so that it is exact in f32 everywhere.
 * - A quotient a / b must not reach the middle m of two denormals by its rounding to f32. If it is not m, |a - m b| is at
 *   least 1 in units of the lower one of the last bits of a and of m b. m has 11 bits and b has 11, so that |a - m b| is
 *   at least 2^-22 of m b or, if the unit is a's, 2^-11 of a. The rounding to f32 moves a / b by 2^-24 at most.
 * - A square root is at least 2^-12, which is normal in f16.
 *
 * Neither way replaces denormal f16 by 0 if MXCSR or FPCR asks for that of f32: they are normal in f32, AVX512-FP16 ignores
 * the bits FTZ and DAZ, and NEON has another bit for f16, FZ16, which programs leave at 0.
 */
#ifndef ISK_HALF_LANES_H
#define ISK_HALF_LANES_H

#include "vec.h"

#if defined(__AVX512FP16__)
#define ISK_HALVES "half_avx512.h"
#elif defined(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC) && !defined(__ARM_FEATURE_SVE)
#define ISK_HALVES "half_neon.h"
#endif

#ifdef ISK_HALVES
#include ISK_HALVES

/* From here on, f16 has lanes of f16, and words are of them. */
#undef ISK_LANE_f16
#define ISK_LANE_f16 h
#undef ISK_EITHER
#define ISK_EITHER(v, word) vh_##word
#define v_one(v)            vh_one()

ISK_INLINE vh vh_abs(vh v)
{
	return (vh)((vi)v & 0x7fff7fff);
}

#include "half_memory.h"
#else
/* 1 in all lanes. A word of its own, because clang 14 would convert a constant to f16 in each step of a loop. */
#define v_one(v) v_set1(v, 1)
#endif

#endif
