/* SPDX-License-Identifier: MIT */
/* Words of Philox as bits, as numbers in [0, 1), and as masks of dropout. */
#include "random_kernels.h"
#include "philox.h"

/* The elements that are made of words. */
enum result { BITS, UNIFORM, MASK };

/* The upper 24 bits as a number in [0, 1). */
ISK_INLINE vf uniform(vi w)
{
	return vi_to_vf((vi)((vu)w >> 8)) * 0x1p-24f;
}

/* Makes m elements from i on, at most a vector, of the words w. */
ISK_INLINE void store_results(void *y, size_t i, vi w, size_t m, float p, const enum result result)
{
	if (result == BITS)
		vi_store_as(y, i, w, m, ISK_S32);
	else if (result == UNIFORM)
		vf_store_as(y, i, uniform(w), m, ISK_F32);
	else
		vi_store_as(y, i, vi_sel(vf_lt(uniform(w), vf_set1(p)), vi_set1(0), vi_set1(1)), m, ISK_U8);
}

/* Makes n elements, each of a word. A batch of words goes through memory, because a call may begin and end within a block. */
ISK_INLINE void make(void *y, size_t n, float p, int64_t seed, int64_t offset, const enum result result)
{
	int32_t words[WORDS];

	for (size_t begin = 0, end; begin < n; begin = end) {
		const uint64_t element = (uint64_t)offset + begin;
		const int32_t *at = words + element % 4;
		vi batch[4];

		philox_at(batch, element, 4, seed);
#pragma GCC unroll 4
		for (int v = 0; v < 4; v++)
			vi_store(words + v * VL, batch[v]);
		end = begin + batch_from(element, 4, n - begin);
		for (size_t i = begin; i < end; i += VL)
			store_results(y, i, vi_load_as(at, i - begin, end - i, ISK_B32), end - i, p, result);
	}
}

void ISK_FN(random_b32)(void *y, size_t n, int64_t seed, int64_t offset)
{
	make(y, n, 0, seed, offset, BITS);
}

void ISK_FN(uniform_f32)(float *y, size_t n, int64_t seed, int64_t offset)
{
	make(y, n, 0, seed, offset, UNIFORM);
}

void ISK_FN(dropout_mask)(uint8_t *y, size_t n, float p, int64_t seed, int64_t offset)
{
	make(y, n, p, seed, offset, MASK);
}

/* An element takes two words. The upper 52 of their 64 bits are the fraction of a number in [1, 2). */
void ISK_FN(uniform_f64)(double *y, size_t n, int64_t seed, int64_t offset)
{
	double batch[4 * VD];

	for (size_t begin = 0, end; begin < n; begin = end) {
		const uint64_t element = (uint64_t)offset + begin;
		vi words[4];

		philox_at(words, element, 2, seed);
#pragma GCC unroll 4
		for (int v = 0; v < 4; v++)
			vd_store(batch + v * VD, (vd)(((vul)words[v] >> 12) | 0x3ff0000000000000) - 1);
		end = begin + batch_from(element, 2, n - begin);
		for (size_t i = begin; i < end; i++)
			y[i] = batch[element % 2 + i - begin];
	}
}
