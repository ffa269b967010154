/* SPDX-License-Identifier: MIT */
/*
 * bf16 and f16 as their bits, in vectors of 2 * VL elements. For sources all of whose kernels are of these types, and whose
 * results are operands, zeros or constants, apart from signs. Lanes of f32 would need a conversion of each input and output.
 *
 * vh vb               vectors of f16 and of bf16, in place of vf. Their lanes are integers, signed and unsigned, only so that
 *                     _Generic can tell them apart
 * v_infinity(v)       the bits of infinity in the type of v
 * v_one(v) v_six(v)   likewise of 1 and 6
 *
 * As signed integers, numbers from +0 up are in order, and NaNs are above the infinity of their sign.
 */
#ifndef ISK_BIT_LANES_H
#define ISK_BIT_LANES_H

#include "vec.h"

typedef int16_t vh __attribute__((vector_size(4 * VL)));
typedef uint16_t vb __attribute__((vector_size(4 * VL)));

#undef ISK_LANE_f16
#undef ISK_LANE_bf16
#define ISK_LANE_f16  h
#define ISK_LANE_bf16 b

#define v_infinity(v) _Generic((v), vh: 0x7c00, vb: 0x7f80)
#define v_one(v)      _Generic((v), vh: 0x3c00, vb: 0x3f80)
#define v_six(v)      _Generic((v), vh: 0x4600, vb: 0x40c0)

#include "half_memory.h"

ISK_INLINE vb vb_load_as(const void *p, size_t i, size_t n, const enum isk_type type)
{
	return (vb)vh_load_as(p, i, n, type);
}

#define vb_store_as  vh_store_as
#define vb_stream_as vh_stream_as

#endif
