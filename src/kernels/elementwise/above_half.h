/* SPDX-License-Identifier: MIT */
/*
 * MAP_ABOVE_HALF(op, ties, f(x)): MAP for silu, gelu, gelu_tanh and hardswish, which next to 0 are
 * x / 2 + c x^2 + ... with a c > 0. If x is a denormal bf16, x / 2 can be a tie of bf16, and c x^2 is too little for an
 * f32 to hold beside it: the f32 is the tie itself, although the exact value lies above. So ties of denormals
 * are rounded upwards here, by one of the two functions below, which take no longer than rounding ties to
 * even. They differ in ties of normal numbers, where the f32 stands for an exact value on one side of the tie
 * or the other: which of them is right for a function test_mpfr finds out, which tries all inputs.
 */
#ifndef ISK_ABOVE_HALF_H
#define ISK_ABOVE_HALF_H

#include "loops.h"

/*
 * The nearest bf16 in the upper half, of two the greater one: 0x8000 is added to the size of a positive
 * number, else 0x7fff.
 */
ISK_INLINE vi ties_upwards(vf v)
{
	return (vi)((vu)vf_bits(v) + 0x8000) + (vf_bits(v) >> 31);
}

/*
 * The same of denormals, while positive normal numbers get 0x7fff, negative ones 0x8000: bits - 2^23 has the
 * sign bit for positive denormals and for negative normal numbers, since for negative denormals it wraps.
 */
ISK_INLINE vi ties_of_denormals_upwards(vf v)
{
	const vu bits = (vu)vf_bits(v);

	return (vi)(bits + 0x7fff) - ((vi)(bits - 0x00800000) >> 31);
}

/* Rounded is v rounded to bf16, unless v is a NaN. */
ISK_INLINE void store_above_half(void *p, size_t i, vf v, vi rounded, size_t n, const enum isk_type type)
{
	const vi bits = vi_sel(vf_isnan(v), vf_bits(v) | 0x400000, rounded);

	if (type != ISK_BF16)
		vf_store_as(p, i, v, n, type);
	else if (n >= VL)
		vi_store_high16((uint16_t *)p + i, bits);
	else
		vi_store_high16_n((uint16_t *)p + i, bits, n);
}

#define ABOVE_HALF_STEP(m, T, ties, value)                                     \
	{                                                                          \
		const vf x = ISK_LOAD(T, in_x, i, m), y = value;                       \
                                                                               \
		store_above_half(out, i, y, ties(y), m, ISK_ENUM_##T);                 \
	}
#define ABOVE_HALF_KERNEL(kernel, T, ties, value)                              \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##T *in_x, size_t n)       \
	{                                                                          \
		ISK_LOOP(T, ABOVE_HALF_STEP, ties, value)                              \
	}
#define MAP_ABOVE_HALF(op, ties, value) ISK_EACH_##op(ABOVE_HALF_KERNEL, ties, value)

#endif
