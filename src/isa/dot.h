/* SPDX-License-Identifier: MIT */
/*
 * Products of bytes of a by signed bytes of b, four to a lane, added to 32-bit sums without any saturation:
 *
 *      for (int s = 0; s < VI_DOT_STEPS; s++)
 *              sum = vi_dot(sum, vi_dot_a(a, s), vi_dot_b(b, s));
 *
 * Bytes of a are unsigned, or signed where VI_DOT_IS_SIGNED is 1. A vocabulary that has an instruction for it defines
 * VI_DOT_STEPS as 1. Without one bytes 0 and 2, then 1 and 3, are products of 16-bit numbers, of unsigned bytes:
 * vpmaddubsw would saturate.
 *
 * Of one unsigned byte in each lane of a, whatever vi_dot is of, by byte `byte` of each lane of b:
 *
 *      sum = vi_dot_one(sum, a, vi_dot_one_b(b, byte));
 *
 * That is vi_dot where it is faster than a product of 32-bit lanes, which is what VI_DOT_ONE_IS_PRODUCT says.
 */
#ifndef ISK_DOT_H
#define ISK_DOT_H

#ifndef VI_DOT_IS_SIGNED
#define VI_DOT_IS_SIGNED 0
#endif

#ifdef VI_DOT_STEPS

ISK_INLINE vi vi_dot_a(vi a, int step)
{
	(void)step;
	return a;
}

ISK_INLINE vi vi_dot_b(vi b, int step)
{
	(void)step;
	return b;
}

#else

#define VI_DOT_STEPS 2

ISK_INLINE vi vi_dot_a(vi a, int step)
{
	return a >> 8 * step & 0x00ff00ff;
}

ISK_INLINE vi vi_dot_b(vi b, int step)
{
	typedef int16_t pairs __attribute__((vector_size(4 * VL)));

	return (vi)((step ? (pairs)b : (pairs)((vu)b << 8)) >> 8);
}

ISK_INLINE vi vi_dot(vi sum, vi a, vi b)
{
	return (vi)((vu)sum + (vu)vi_multiply_pairs(a, b));
}

#endif

#ifdef VI_DOT_ONE_IS_PRODUCT

ISK_INLINE vi vi_dot_one_b(vi b, size_t byte)
{
	return b << (int)(24 - 8 * byte) >> 24;
}

ISK_INLINE vi vi_dot_one(vi sum, vi a, vi b)
{
	return (vi)((vu)sum + (vu)a * (vu)b);
}

#else

/* What is above the lowest byte is multiplied by 0. */
ISK_INLINE vi vi_dot_one_b(vi b, size_t byte)
{
	return vi_dot_b(b >> (int)(byte * 8), 0);
}

ISK_INLINE vi vi_dot_one(vi sum, vi a, vi b)
{
	return vi_dot(sum, a, b);
}

#endif

#endif
