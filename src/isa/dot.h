/* SPDX-License-Identifier: MIT */
/*
 * Dot products of four bytes of a, the same four for all lanes, with the four signed bytes of each lane of b. They are
 * added to 32-bit sums without saturation:
 *
 *      for (int s = 0; s < VI_DOT_STEPS; s++)
 *              sum = vi_dot(sum, vi_dot_word(&words[s]), vi_dot_b(b, s));
 *
 * words[s] is a lane of vi_dot_a(a, s). The bytes of a are signed if VI_DOT_IS_SIGNED is 1, else unsigned. A vocabulary
 * that has an instruction for vi_dot defines VI_DOT_STEPS as 1. Otherwise there are two steps of 16-bit products of
 * unsigned bytes by signed ones, for bytes 0 and 2 and for bytes 1 and 3, because vpmaddubsw would saturate. A vocabulary
 * that has its own vi_dot_word(), vi_dot_sum() and, for two steps, vi_dot_b() and vi_dot() defines VI_DOT_HAS_WORDS.
 *
 * vi_dot_sum(sum, a) adds all bytes of a result of vi_dot_a to sum. Any lane may get any of them, so only the total over
 * all lanes is defined.
 *
 * A product of one unsigned byte (in each lane of a, even if VI_DOT_IS_SIGNED is 1) and byte `byte` of each lane of b:
 *
 *      sum = vi_dot_one(sum, a, vi_dot_one_b(b, byte));
 *
 * This is vi_dot, unless the vocabulary defines VI_DOT_ONE_IS_PRODUCT because a product of 32-bit lanes is faster there.
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

/* The bytes above the lowest one do not count, because those of a are 0. */
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
