/* SPDX-License-Identifier: MIT */
/*
 * Sums and maxima of the lanes of of_type.h, in a tree that depends on the number of elements alone, so that every vector
 * width gives the same bits.
 *
 * A line is 64 bytes of sums: LINE lanes, 16 of f32 or 8 of f64, in VECTORS vectors. Element i goes to lane
 * i % (4 * LINE), for the cosine i % (2 * LINE). A block is at most ROUNDS terms a lane, added in order; its lanes are
 * then folded to a line: lane j + half is added to lane j. The lines of the blocks are added in pairs, pairs of pairs and
 * so on, like the carries of a counter, and the last line is folded to one number. A term is therefore rounded at most
 * 32 + log2(lanes) times in its block and ceil(log2(blocks)) times above it, in total less than 32 + log2(n) times if
 * there is more than one block, and less than n times if n is small. Blocks are so long that the additions of lines cost
 * nothing, and so short that the error of ten million elements stays close to that of a thousand.
 *
 * This proves the bounds of sum and dot: 1 in units of eps * depth(n) * sum |terms|. l2sq adds 2 roundings of the
 * difference to each term, hence the n + 2 of depth(n); the cosine adds 4 roundings of the result to half of those of both
 * squares. Worst found, f32: sum 0.74 and dot 0.74 (1, followed in its lane by numbers just too small to round the sum
 * up), l2sq 0.83 (n = 1), cosine 0.70 (0x1.f44a4cp+1, -0x1.601928p+0 and -0x1.7ca394p-3, 0x1.ea7674p-2).
 *
 * reduce(out, a, b, n, c, term)   the sums of any number of elements. The other functions are its parts:
 * reduce_block()                  the lines of a block
 * reduce_short() reduce_few()     the sums of a block or less, and of at most one term for each lane
 * cascade                         sums of blocks: begin() it, push() the lines of all blocks but the last one, and end()
 *                                 with the line of that one, which returns the sum of all
 * row_sum(x, n, c, term)          SUM, SQUARE or DEVIATION of n elements
 * reduce_max()                    the maxima of the lanes
 * add_lanes(s)                    the sum of the lanes of a line
 * root(x)                         the square root of a number
 */
#ifndef ISK_SUM_TREE_H
#define ISK_SUM_TREE_H

#include "ahead.h"
#include "of_type.h"

/* Not inlined: code that several functions share, or that few calls reach. */
#define ISK_APART __attribute__((noinline))

/*
 * Begins with a cache line, so that the code for few elements lies in two lines, not in three. From an odd multiple of 32
 * bytes, dot of 16 elements of f32 takes 3.4 ns in place of 2.7, of which an empty function takes 2.3 (Zen 5, avx512).
 */
#define ISK_FROM_LINE __attribute__((aligned(64)))

/*
 * Marks functions for sums of more than a block, whose frame is 11 KiB. They are separate from sums of a block or less
 * because that frame would cost 16 elements a quarter of their time (Zen 3).
 */
#define ISK_LONG ISK_APART

/*
 * The terms of a sum. SUM: a + b, where b is 4 lines further on in the same array; SQUARE: a^2; DEVIATION:
 * (a - centre)^2; DOT: a * b; L2SQ: (a - b)^2; COSINE: three sums of a * b, a^2 and b^2.
 */
enum term { SUM, SQUARE, DEVIATION, DOT, L2SQ, COSINE };

enum { ROUNDS = 32, MAX_SUMS = 3, LINE = 64 / sizeof(lane), VECTORS = LINE / COUNT, BLOCK = ROUNDS * LINE };

typedef struct {
	vec v[VECTORS];
} line;

ISK_INLINE int sums_of(const enum term term)
{
	return term == COSINE ? 3 : 1;
}

ISK_INLINE lane root(lane x)
{
	return _Generic(x, float: __builtin_sqrtf(x), double: __builtin_sqrt(x));
}

ISK_INLINE lane add_lanes(line s)
{
	return ISK_WORD(fold_add)(s.v);
}

/* Element lanes of a block: as many as 16 registers hold, so that additions wait for loads, not for earlier additions. */
ISK_INLINE int lanes_of(const enum term term)
{
	return term == COSINE ? 2 * LINE : 4 * LINE;
}

/* Elements of a in a round. A plain sum adds two of them first, which halves the number of chains. */
ISK_INLINE int round_of(const enum term term)
{
	return term == SUM ? 8 * LINE : lanes_of(term);
}

/*
 * v, computed before what is in order after it, in code of its own. gcc 12 puts loads of a round in another order, for
 * which the CPU prefetches nothing: max of 4M elements of f32 took up to 2.1 times as long (Zen 5, avx512). It also joins
 * the ends of paths by jumps: 1.08 times as long for dot of 64 elements. Other ISAs have fewer registers, so that loads
 * cannot wait.
 */
ISK_INLINE vec in_order(vec v)
{
#if VL == 16
	__asm__ volatile("" : "+" ISK_VECTOR_REGISTER(v));
#endif
	return v;
}

/* The vectors of 8 lines from x[at] on. */
ISK_INLINE void load_in_order(vec all[8 * VECTORS], const elem *x, size_t at)
{
#pragma GCC unroll 8
	for (int v = 0; v < 8 * VECTORS; v++)
		all[v] = in_order(load(x, at + (size_t)(v * COUNT), (size_t)COUNT));
}

/* Adds the terms of the first na elements from a[i] and nb from b[j] on to the accumulators of one vector. */
ISK_INLINE void reduce_term(vec acc[MAX_SUMS], const elem *a, size_t i, size_t na, const elem *b, size_t j, size_t nb,
                            vec centre, const enum term term)
{
	const vec x = load(a, i, na);
	vec d;

	switch (term) {
	case SUM:
		acc[0] += x + (nb ? load(b, j, nb) : splat(0));
		break;
	case SQUARE:
		acc[0] = multiply_add(x, x, acc[0]);
		break;
	case DEVIATION:
		d = first_lanes(x - centre, na, 0);
		acc[0] = multiply_add(d, d, acc[0]);
		break;
	case DOT:
		acc[0] = multiply_add(x, load(b, j, nb), acc[0]);
		break;
	case L2SQ:
		d = x - load(b, j, nb);
		acc[0] = multiply_add(d, d, acc[0]);
		break;
	case COSINE:
		d = load(b, j, nb);
		acc[0] = multiply_add(x, d, acc[0]);
		acc[1] = multiply_add(x, x, acc[1]);
		acc[2] = multiply_add(d, d, acc[2]);
		break;
	}
}

/* Adds a round of both arrays from element `at` on to the accumulators. If is_far, it prefetches (ahead.h). */
ISK_INLINE void reduce_round(vec acc[4 * VECTORS][MAX_SUMS], const elem *a, const elem *b, size_t at, vec centre,
                             const int is_far, const enum term term)
{
	const int vectors = lanes_of(term) / COUNT;
	const size_t round = (size_t)round_of(term), skip = round - (size_t)lanes_of(term);
	vec all[8 * VECTORS];

	if (is_far)
		isk_prefetch_ahead(a + at, round * sizeof(*a));
	if (is_far && (term == DOT || term == L2SQ || term == COSINE))
		isk_prefetch_ahead(b + at, round * sizeof(*b));
	if (is_far && term == SUM)
		load_in_order(all, a, at);
#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++) {
		const size_t i = at + (size_t)(v * COUNT);

		if (is_far && term == SUM)
			acc[v][0] += all[v] + all[v + vectors];
		else
			reduce_term(acc[v], a, i, (size_t)COUNT, term == SUM ? a : b, i + skip, (size_t)COUNT, centre, term);
	}
}

/* Sums one block of both arrays from element `at` on, with n <= ROUNDS * round_of(term). */
ISK_INLINE void reduce_block(line *out, const elem *a, const elem *b, size_t at, size_t n, vec centre, const int is_far,
                             const enum term term)
{
	const int vectors = lanes_of(term) / COUNT, sums = sums_of(term);
	const size_t round = (size_t)round_of(term), skip = round - (size_t)lanes_of(term);
	vec acc[4 * VECTORS][MAX_SUMS];

#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++)
#pragma GCC unroll 3
		for (int s = 0; s < sums; s++)
			acc[v][s] = splat(0);
	for (; n >= round; n -= round, at += round)
		reduce_round(acc, a, b, at, centre, is_far, term);
#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++) {
		const size_t i = (size_t)(v * COUNT);

		if (n <= i)
			break;
		reduce_term(acc[v], a, at + i, n - i, term == SUM ? a : b, at + i + skip, n > i + skip ? n - i - skip : 0, centre,
		            term);
	}
#pragma GCC unroll 3
	for (int half = vectors / 2; half >= VECTORS; half /= 2)
#pragma GCC unroll 8
		for (int v = 0; v < half; v++)
#pragma GCC unroll 3
			for (int s = 0; s < sums; s++)
				acc[v][s] += acc[v + half][s];
#pragma GCC unroll 4
	for (int v = 0; v < VECTORS; v++)
#pragma GCC unroll 3
		for (int s = 0; s < sums; s++)
			out[s].v[v] = acc[v][s];
}

/*
 * The counter of blocks and its pending sums, one for each set bit of the counter: the sum of as many blocks as the bit is
 * worth. Elements have at least 2 bytes, so there are at most 2^63 of them, in blocks of at least BLOCK elements.
 */
enum { LEVELS = 55 };
_Static_assert(((uint64_t)1 << 63) / BLOCK <= (uint64_t)1 << LEVELS, "a level for each bit of the number of blocks");

typedef struct {
	line level[LEVELS];
	size_t blocks;
	int depth;
} cascade;

ISK_INLINE void begin(cascade *c)
{
	c->blocks = 0;
	c->depth = 0;
}

ISK_INLINE line pop(cascade *c, line s)
{
	c->depth--;
	for (int v = 0; v < VECTORS; v++)
		s.v[v] = c->level[c->depth].v[v] + s.v[v];
	return s;
}

/* Adds a block that is not the last. */
ISK_INLINE void push(cascade *c, line s)
{
	for (size_t bit = c->blocks++; bit & 1; bit >>= 1)
		s = pop(c, s);
	c->level[c->depth++] = s;
}

/* The same for the sums of a block. */
ISK_INLINE void push_each(cascade c[MAX_SUMS], const line s[MAX_SUMS], int sums)
{
	for (int i = 0; i < sums; i++)
		push(&c[i], s[i]);
}

/* Adds the last block and returns the line of all. */
ISK_INLINE line end_line(cascade *c, line s)
{
	while (c->depth)
		s = pop(c, s);
	return s;
}

/* Adds the last block and returns the sum of all. */
ISK_INLINE lane end(cascade *c, line s)
{
	return add_lanes(end_line(c, s));
}

/* The cosine divides by the product of the norms, because the product of their squares could overflow or vanish. */
ISK_INLINE lane cosine_of(const lane sum[MAX_SUMS])
{
	return sum[1] == 0 || sum[2] == 0 ? 0 : sum[0] / (root(sum[1]) * root(sum[2]));
}

/* The number of elements of a block. */
ISK_INLINE size_t block_of(const enum term term)
{
	return (size_t)(ROUNDS * round_of(term));
}

/*
 * The sums of at most one term for each lane: whole lines and a last line of n elements. Since no chain begins with +0
 * here, a sum of -0 alone is -0 at first; + 0 makes it +0, as in longer sums. Squares are never -0.
 */
ISK_INLINE void reduce_lines(lane out[MAX_SUMS], const int lines, const lane *a, const lane *b, size_t n,
                             const enum term term)
{
	const int vectors = lines * VECTORS;
	vec acc[4 * VECTORS][MAX_SUMS];

#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++) {
		const size_t i = (size_t)(v * COUNT), before = (size_t)(v % VECTORS * COUNT);
		const size_t left = n > before ? n - before : 0;
		const int is_whole = v < vectors - VECTORS;
		const vec x = is_whole ? ISK_WORD(load)(a + i) : ISK_WORD(load_n)(a + i, left);
		const vec y = term == SUM ? x : is_whole ? ISK_WORD(load)(b + i) : ISK_WORD(load_n)(b + i, left);

		acc[v][0] = term == SUM ? x : term == L2SQ ? (x - y) * (x - y) : x * y;
		acc[v][1] = x * x;
		acc[v][2] = y * y;
	}
#pragma GCC unroll 3
	for (int half = 2 * VECTORS; half >= VECTORS; half /= 2)
#pragma GCC unroll 8
		for (int v = 0; v < half; v++)
#pragma GCC unroll 3
			for (int s = 0; s < sums_of(term); s++)
				if (v + half < vectors)
					acc[v][s] += acc[v + half][s];
#pragma GCC unroll 3
	for (int s = 0; s < sums_of(term); s++) {
		line sum;

#pragma GCC unroll 4
		for (int v = 0; v < VECTORS; v++)
			sum.v[v] = lines == 4 ? in_order(acc[v][s]) : acc[v][s];
		out[s] = term == L2SQ || s ? add_lanes(sum) : add_lanes(sum) + 0;
	}
}

/* The sums of a block or less. */
ISK_INLINE void reduce_short(lane out[MAX_SUMS], const elem *a, const elem *b, size_t n, const enum term term)
{
	line s[MAX_SUMS];

	reduce_block(s, a, b, 0, n, splat(0), 0, term);
#pragma GCC unroll 3
	for (int i = 0; i < sums_of(term); i++)
		out[i] = add_lanes(s[i]);
}

/* Whether a sum takes the shorter path of reduce_few(): the ISA has masked loads, and n <= lanes_of(term). */
ISK_INLINE int is_few(size_t n, const enum term term)
{
	return VL > 4 && n <= (size_t)lanes_of(term);
}

/* The sums of n <= lanes_of(term) elements that have the type of the lanes, with code for each number of lines. */
ISK_INLINE void reduce_few(lane out[MAX_SUMS], const void *a, const void *b, size_t n, const enum term term)
{
	if (n <= LINE)
		reduce_lines(out, 1, a, b, n, term);
	else if (n <= 2 * LINE || lanes_of(term) == 2 * LINE)
		reduce_lines(out, 2, a, b, n - LINE, term);
	else if (n <= 3 * LINE)
		reduce_lines(out, 3, a, b, n - 2 * LINE, term);
	else
		reduce_lines(out, 4, a, b, n - 3 * LINE, term);
}

/* The sums of n elements. */
ISK_INLINE void reduce(lane out[MAX_SUMS], const elem *a, const elem *b, size_t n, lane centre, const enum term term)
{
	const size_t step = block_of(term);
	const size_t last_ahead = isk_last_ahead(n, step, sizeof(*a), isk_is_split(a) || isk_is_split(b));
	cascade c[MAX_SUMS];
	line s[MAX_SUMS];
	size_t at = 0;

	for (int i = 0; i < sums_of(term); i++)
		begin(&c[i]);
	for (; n - at > last_ahead; at += step) {
		reduce_block(s, a, b, at, step, splat(centre), 1, term);
		push_each(c, s, sums_of(term));
	}
	for (; n - at > step; at += step) {
		reduce_block(s, a, b, at, step, splat(centre), 0, term);
		push_each(c, s, sums_of(term));
	}
	reduce_block(s, a, b, at, n - at, splat(centre), 0, term);
	for (int i = 0; i < sums_of(term); i++)
		out[i] = end(&c[i], s[i]);
}

struct maxima {
	line lanes; /* invalid if nan, because the maxima ignore some NaNs */
	int nan;    /* there is a NaN */
};

/* Takes the maxima of 8 lines from x[at] on. If is_far, it prefetches (ahead.h). */
ISK_INLINE void max_round(vec acc[4 * VECTORS], truths *nan, const elem *x, size_t at, const int is_far)
{
	vec all[8 * VECTORS];

	if (is_far)
		isk_prefetch_ahead(x + at, 8 * LINE * sizeof(*x));
	if (VL == 16)
		load_in_order(all, x, at);
#pragma GCC unroll 16
	for (int v = 0; v < 4 * VECTORS; v++) {
		const size_t low = at + (size_t)(v * COUNT);
		const vec a = VL == 16 ? all[v] : load(x, low, (size_t)COUNT);
		const vec b = VL == 16 ? all[v + 4 * VECTORS] : load(x, low + 4 * LINE, (size_t)COUNT);

		*nan |= unordered(a, b);
		acc[v] = maximum(acc[v], maximum(a, b));
	}
}

/*
 * The maximum of n elements from x[at] on, which `after` others follow, in 4 lines of lanes. Elements 4 lines apart are
 * compared first, which halves the chains of accumulators and the tests for NaN. If both zeros are the maximum, the tree
 * determines which one is the result.
 */
ISK_INLINE struct maxima reduce_max(const elem *x, size_t at, size_t n, size_t after)
{
	const size_t half = 4 * LINE, last_ahead = isk_last_ahead(n + after, 2 * half, sizeof(*x), isk_is_split(x));
	struct maxima out;
	vec acc[4 * VECTORS];
	truths nan = ISK_MASK(first)(0);

#pragma GCC unroll 16
	for (int v = 0; v < 4 * VECTORS; v++)
		acc[v] = splat(-INFINITE);
	for (; n >= 2 * half && n + after > last_ahead; n -= 2 * half, at += 2 * half)
		max_round(acc, &nan, x, at, 1);
	for (; n >= 2 * half; n -= 2 * half, at += 2 * half)
		max_round(acc, &nan, x, at, 0);
#pragma GCC unroll 16
	for (int v = 0; v < 4 * VECTORS; v++) {
		const size_t low = (size_t)(v * COUNT), high = low + half;
		vec a, b;

		if (n <= low)
			break;
		a = first_lanes(load(x, at + low, n - low), n - low, -INFINITE);
		b = n > high ? first_lanes(load(x, at + high, n - high), n - high, -INFINITE) : a;
		nan |= unordered(a, b);
		acc[v] = maximum(acc[v], maximum(a, b));
	}
#pragma GCC unroll 3
	for (int h = 2 * VECTORS; h >= VECTORS; h /= 2)
#pragma GCC unroll 16
		for (int v = 0; v < h; v++)
			acc[v] = maximum(acc[v], acc[v + h]);
	for (int v = 0; v < VECTORS; v++)
		out.lanes.v[v] = acc[v];
	out.nan = any(nan);
	return out;
}

ISK_INLINE lane row_sum(const elem *x, size_t n, lane centre, const enum term term)
{
	lane sum[MAX_SUMS];

	reduce(sum, x, NULL, n, centre, term);
	return sum[0];
}

#endif
