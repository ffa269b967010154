/* SPDX-License-Identifier: MIT */
/*
 * Products of four bytes, the same for all lanes, by four signed bytes of each lane of b, added to 32-bit sums without
 * any saturation:
 *
 *      for (int s = 0; s < VI_DOT_STEPS; s++)
 *              sum = vi_dot(sum, vi_dot_word(&words[s]), vi_dot_b(b, s));
 *
 * where words[s] is a lane of vi_dot_a(a, s). Bytes of a are unsigned, or signed where VI_DOT_IS_SIGNED is 1. A
 * vocabulary that has an instruction for it defines VI_DOT_STEPS as 1. Without one bytes 0 and 2, then 1 and 3, are
 * products of 16-bit numbers, of unsigned bytes: vpmaddubsw would saturate. A vocabulary that has vi_dot_word() and
 * vi_dot_sum(), and then vi_dot_b(), in a form of its own defines VI_DOT_HAS_WORDS.
 *
 * vi_dot_sum(sum, a) adds bytes that vi_dot_a gave, of any a, to whichever lanes.
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

#ifndef VI_DOT_HAS_WORDS

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

#endif

#ifndef VI_DOT_HAS_WORDS

ISK_INLINE vi vi_dot_word(const void *p)
{
	typedef int32_t word __attribute__((aligned(1), may_alias));

	return vi_set1(*(const word *)p);
}

ISK_INLINE vi vi_dot_sum(vi sum, vi a)
{
	return vi_dot(sum, a, vi_dot_b(vi_set1(0x01010101), 0));
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
