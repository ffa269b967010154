/* SPDX-License-Identifier: MIT */
/*
 * Sums and maxima in a tree that depends on the number of elements alone, so
 * that every vector width gives the same bits.
 *
 * Element i goes to lane i % 64 (% 32 for the cosine). A block is at most ROUNDS
 * terms a lane, added in order; its lanes are then folded to 16, lane j taking
 * lane j + half. The 16 lanes of the blocks are added in pairs, pairs of pairs
 * and so on, as the carries of a counter, and the 16 that remain are folded to
 * one. A term is therefore rounded at most 32 + log2(lanes) times in its block
 * and ceil(log2(blocks)) times above it, all in all less than 32 + log2(n) times
 * where there is more than one block, and less than n where n is small. Blocks
 * are long enough for the pairs to cost nothing, and they keep the error of ten
 * million elements close to that of a thousand.
 *
 * So the bounds of sum and dot are proven: 1 in units of eps * depth(n) * sum
 * |terms|. l2sq adds 2 roundings of the difference to each term, hence the
 * n + 2 of depth(n); the cosine 4 roundings of the result, to half of those of
 * both squares. Worst found: sum 0.74 and dot 0.74 (1 and, in its lane behind
 * it, what is just not rounded up to eps), l2sq 0.83 (n = 1), cosine 0.70
 * (0x1.f44a4cp+1, -0x1.601928p+0 and -0x1.7ca394p-3, 0x1.ea7674p-2).
 */
#ifndef ISK_REDUCE_H
#define ISK_REDUCE_H

#include "kernel.h"

#define ROUNDS 32

struct lanes16 {
	vf v[16 / VL];
};

typedef float v4 __attribute__((vector_size(16)));

ISK_INLINE v4 join4(v4 a, v4 b, const int max)
{
	return max ? (v4)_mm_max_ps(a, b) : a + b;
}

ISK_INLINE vf join(vf a, vf b, const int max)
{
	return max ? vf_max(a, b) : a + b;
}

ISK_INLINE float sqrt1(float x)
{
	return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
}

/* 16 lanes to one. */
ISK_INLINE float fold16(struct lanes16 s, const int max)
{
	v4 a, b;

#if ISK_LANES == 4
	a = join(s.v[0], s.v[2], max);
	b = join(s.v[1], s.v[3], max);
#else
#if ISK_LANES == 16
	const __m256 low = _mm512_castps512_ps256(s.v[0]);
	const __m256 high = _mm512_extractf32x8_ps(s.v[0], 1);
	const __m256 eight = max ? _mm256_max_ps(low, high) : _mm256_add_ps(low, high);
#else
	const __m256 eight = join(s.v[0], s.v[1], max);
#endif
	a = _mm256_castps256_ps128(eight);
	b = _mm256_extractf128_ps(eight, 1);
#endif
	a = join4(a, b, max);
	a = join4(a, _mm_movehl_ps(a, a), max);
	return join4(a, _mm_shuffle_ps(a, a, 1), max)[0];
}

/* What is summed: SUM a + b, where b is 64 elements on in the same array, SQUARE
 * a^2, DEVIATION (a - centre)^2, DOT a * b, L2SQ (a - b)^2; COSINE is three sums:
 * a * b, a^2 and b^2. */
enum term { SUM, SQUARE, DEVIATION, DOT, L2SQ, COSINE };

#define MAX_SUMS 3

ISK_INLINE int sums_of(const enum term term)
{
	return term == COSINE ? 3 : 1;
}

/* As many as 16 registers hold, so that adding waits for loads and not for the sum before. */
ISK_INLINE int lanes_of(const enum term term)
{
	return term == COSINE ? 32 : 64;
}

/* Elements of a that a round takes: adding two of them first halves the chains a plain sum needs. */
ISK_INLINE int round_of(const enum term term)
{
	return term == SUM ? 128 : lanes_of(term);
}

/* Adds the terms of the first na elements at a and nb at b to the accumulators of one vector. */
ISK_INLINE void reduce_term(vf acc[MAX_SUMS], const float *a, size_t na, const float *b, size_t nb, vf centre,
                            const enum term term)
{
	const vf x = vf_load_upto(a, na);
	vf d;

	switch (term) {
	case SUM:
		acc[0] += x + vf_load_upto(b, nb);
		break;
	case SQUARE:
		acc[0] = vf_fma(x, x, acc[0]);
		break;
	case DEVIATION:
		d = na >= VL ? x - centre : vf_sel(vm_first(na), x - centre, vf_set1(0));
		acc[0] = vf_fma(d, d, acc[0]);
		break;
	case DOT:
		acc[0] = vf_fma(x, vf_load_upto(b, nb), acc[0]);
		break;
	case L2SQ:
		d = x - vf_load_upto(b, nb);
		acc[0] = vf_fma(d, d, acc[0]);
		break;
	case COSINE:
		d = vf_load_upto(b, nb);
		acc[0] = vf_fma(x, d, acc[0]);
		acc[1] = vf_fma(x, x, acc[1]);
		acc[2] = vf_fma(d, d, acc[2]);
		break;
	}
}

/* One block: n <= ROUNDS * round_of(term). */
ISK_INLINE void reduce_block(struct lanes16 *out, const float *a, const float *b, size_t n,
                             vf centre, const enum term term)
{
	const int vectors = lanes_of(term) / VL, sums = sums_of(term);
	const size_t round = (size_t)round_of(term), skip = round - (size_t)lanes_of(term);
	vf acc[64 / VL][MAX_SUMS];

#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++)
		for (int s = 0; s < sums; s++)
			acc[v][s] = vf_set1(0);
	if (term == SUM)
		b = a + skip;
	for (; n >= round; n -= round, a += round, b += term == SUM || term >= DOT ? round : 0)
#pragma GCC unroll 16
		for (int v = 0; v < vectors; v++)
			reduce_term(acc[v], a + v * VL, VL, b + v * VL, VL, centre, term);
#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++) {
		const size_t at = (size_t)(v * VL);

		if (n <= at)
			break;
		reduce_term(acc[v], a + at, n - at, b + at, n > at + skip ? n - at - skip : 0, centre, term);
	}
#pragma GCC unroll 3
	for (int half = vectors / 2; half >= 16 / VL; half /= 2)
#pragma GCC unroll 8
		for (int v = 0; v < half; v++)
			for (int s = 0; s < sums; s++)
				acc[v][s] += acc[v + half][s];
	for (int v = 0; v < 16 / VL; v++)
		for (int s = 0; s < sums; s++)
			out[s].v[v] = acc[v][s];
}

/*
 * The counter of blocks and its pending sums: entry i is the sum of as many
 * blocks as its bit of the counter is worth. Elements are 4 bytes, so there
 * cannot be more than 2^62 of them, or 2^52 blocks.
 */
struct cascade {
	struct lanes16 level[53];
	size_t blocks;
	int depth;
};

ISK_INLINE struct lanes16 cascade_pop(struct cascade *c, struct lanes16 s)
{
	c->depth--;
	for (int v = 0; v < 16 / VL; v++)
		s.v[v] = c->level[c->depth].v[v] + s.v[v];
	return s;
}

/* Every block but the last. */
ISK_INLINE void cascade_push(struct cascade *c, struct lanes16 s)
{
	for (size_t bit = c->blocks++; bit & 1; bit >>= 1)
		s = cascade_pop(c, s);
	c->level[c->depth++] = s;
}

/* The last block: the sum of all. */
ISK_INLINE float cascade_end(struct cascade *c, struct lanes16 s)
{
	while (c->depth)
		s = cascade_pop(c, s);
	return fold16(s, 0);
}

/* The sums of n elements. */
ISK_INLINE void reduce(float out[MAX_SUMS], const float *a, const float *b, size_t n, float centre,
                       const enum term term)
{
	const size_t step = (size_t)(ROUNDS * round_of(term));
	struct cascade c[MAX_SUMS];
	struct lanes16 s[MAX_SUMS];

	for (int i = 0; i < sums_of(term); i++)
		c[i].blocks = c[i].depth = 0;
	for (; n > step; n -= step, a += step, b += term >= DOT ? step : 0) {
		reduce_block(s, a, b, step, vf_set1(centre), term);
		for (int i = 0; i < sums_of(term); i++)
			cascade_push(&c[i], s[i]);
	}
	reduce_block(s, a, b, n, vf_set1(centre), term);
	for (int i = 0; i < sums_of(term); i++)
		out[i] = cascade_end(&c[i], s[i]);
}

struct maximum {
	struct lanes16 lanes; /* NaNs ignored in part: good for nothing when there is one */
	int nan;
};

ISK_INLINE vf max_load(const float *p, size_t n)
{
	return n >= VL ? vf_load(p) : vf_sel(vm_first(n), vf_load_n(p, n), vf_set1(-__builtin_inff()));
}

/*
 * The maximum of n elements in 64 lanes. Elements 64 apart meet first, which
 * halves the chains of accumulators and the tests for NaN. Which zero wins
 * where both do is fixed by the tree.
 */
ISK_INLINE struct maximum reduce_max(const float *x, size_t n)
{
	struct maximum out;
	vf acc[64 / VL];
	vm nan = vm_first(0);

#pragma GCC unroll 16
	for (int v = 0; v < 64 / VL; v++)
		acc[v] = vf_set1(-__builtin_inff());
	for (; n >= 128; n -= 128, x += 128)
#pragma GCC unroll 16
		for (int v = 0; v < 64 / VL; v++) {
			const vf a = vf_load(x + v * VL), b = vf_load(x + 64 + v * VL);

			nan = vm_or(nan, vf_unordered(a, b));
			acc[v] = vf_max(acc[v], vf_max(a, b));
		}
#pragma GCC unroll 16
	for (int v = 0; v < 64 / VL; v++) {
		const size_t low = (size_t)(v * VL), high = low + 64;
		vf a, b;

		if (n <= low)
			break;
		a = max_load(x + low, n - low);
		b = n > high ? max_load(x + high, n - high) : a;
		nan = vm_or(nan, vf_unordered(a, b));
		acc[v] = vf_max(acc[v], vf_max(a, b));
	}
#pragma GCC unroll 3
	for (int half = 32 / VL; half >= 16 / VL; half /= 2)
#pragma GCC unroll 16
		for (int v = 0; v < half; v++)
			acc[v] = vf_max(acc[v], acc[v + half]);
	for (int v = 0; v < 16 / VL; v++)
		out.lanes.v[v] = acc[v];
	out.nan = vm_any(nan);
	return out;
}

#endif
