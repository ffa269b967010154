/* SPDX-License-Identifier: MIT */
/*
 * Blocks of sum_tree.h in less code, for reductions of any type. One loop takes whole rounds from memory. The remaining
 * elements are loaded with masks or, if the ISA has none, from a copy that is padded with elements that change nothing;
 * elements a stride apart are copied too. The elements of a lane, their order, and the addition of lanes and lines are
 * those of sum_tree.h.
 *
 * LINES_OF(name, part)   defines a function that reduces elements to lines
 * PART_OF(name, part)    defines a function that reduces them to one number: name(a, b, n, step); b is NULL if the
 *                        reduction takes one array
 */
#ifndef ISK_BLOCKS_H
#define ISK_BLOCKS_H

#include "reductions.h"
#include "room.h"
#include "sum_tree.h"

ISK_INLINE int in_pairs(const enum part part)
{
	return part <= P_MOST;
}

ISK_INLINE int of_two(const enum part part)
{
	return part >= P_DOT;
}

/* Whether there are kernels of elements a stride apart. */
ISK_INLINE int may_be_strided(const enum part part)
{
	return part == P_SUM || part == P_SIZE || part == P_PRODUCT || part == P_LEAST || part == P_MOST
	       || part == P_SCALED;
}

/* Whether there is code that loads every other element in place; for others it is not worth its size. */
ISK_INLINE int has_loads_by_two(const enum part part)
{
	return VL > 4 && sizeof(elem) > 2 && (part == P_SUM || part == P_LEAST || part == P_MOST);
}

/* Whether part is a sum, whose error grows with its depth. A product rounds equally often in any order. */
ISK_INLINE int is_sum(const enum part part)
{
	return part != P_PRODUCT && part != P_LEAST && part != P_MOST && part != P_FARTHEST;
}

ISK_INLINE int part_sums(const enum part part)
{
	return part == P_COSINE ? 3 : part == P_DEVIATION ? 2 : 1;
}

ISK_INLINE int part_nothing_is_0(const enum part part)
{
	return part != P_PRODUCT && part != P_LEAST && part != P_MOST && part != P_DEVIATION;
}

/* The bits of 8 bytes of elements that change nothing. */
ISK_INLINE uint64_t nothing_bits(const enum part part, double centre)
{
	const uint64_t sign = part == P_MOST, size = part != P_PRODUCT;
	uint64_t bits = 0;

	if (part == P_DEVIATION)
		__builtin_memcpy(&bits, &centre, sizeof(bits));
	if (part_nothing_is_0(part) || part == P_DEVIATION)
		return bits;
	switch (TYPE) {
	case ISK_F64:
		return sign << 63 | (size ? 0x7ff0000000000000 : 0x3ff0000000000000);
	case ISK_F32:
		return (sign << 31 | (size ? 0x7f800000 : 0x3f800000)) * 0x100000001;
	case ISK_BF16:
		return (sign << 15 | (size ? 0x7f80 : 0x3f80)) * 0x1000100010001;
	default:
		return (sign << 15 | (size ? 0x7c00 : 0x3c00)) * 0x1000100010001;
	}
}

/* Whether the ISA has a masked load. For elements of 16 bits, only AVX-512 has one. */
enum { HAS_MASKS = VL == 16 || (VL == 8 && sizeof(elem) > 2) };

/* Elements of each array in a round. */
ISK_INLINE size_t part_round(const enum part part)
{
	return (size_t)(part == P_COSINE ? 2 * LINE : in_pairs(part) ? 8 * LINE : 4 * LINE);
}

/* Elements of each array in a block of a sum. */
ISK_INLINE size_t part_block(const enum part part)
{
	return ROUNDS * part_round(part);
}

/* Joins two accumulators. */
ISK_INLINE vec part_join(vec a, vec b, const enum part part)
{
	return part == P_PRODUCT                      ? a * b
	       : part == P_LEAST                      ? minimum(a, b)
	       : part == P_MOST || part == P_FARTHEST ? maximum(a, b)
	                                              : a + b;
}

/* An element that changes nothing. */
ISK_INLINE lane part_nothing(const enum part part, lane centre)
{
	return part == P_PRODUCT     ? 1
	       : part == P_LEAST     ? INFINITE
	       : part == P_MOST      ? -INFINITE
	       : part == P_DEVIATION ? centre
	                             : 0;
}

/* Loads n elements; the other lanes get the element that changes nothing. If step is 2, n is all lanes. */
ISK_INLINE vec part_load(const elem *x, size_t i, size_t n, vec centre, const size_t step, const enum part part)
{
	vec v;

	if (step == 2)
		return (vec)every_other(x + 2 * i, sizeof(elem));
	v = load(x, i, n);

	return part_nothing_is_0(part) ? v : first_lanes(v, n, part_nothing(part, centre[0]));
}

/* Adds a vector of a and its partner: that of b or, in pairs, that 4 lines further on in a. */
ISK_INLINE void part_add(vec acc[MAX_SUMS], truths *nan, vec x, vec y, vec centre, const enum part part)
{
	const __typeof(x != 0) one = (__typeof(x != 0))splat(1);

	switch (part) {
	case P_SUM:
		acc[0] += x + y;
		break;
	case P_SIZE:
		acc[0] += magnitude(x) + magnitude(y);
		break;
	case P_NONZERO:
		acc[0] += (vec)(one & (x != 0)) + (vec)(one & (y != 0));
		break;
	case P_DEVIATION:
		acc[0] += x - centre;
		acc[1] = multiply_add(x - centre, x - centre, acc[1]);
		break;
	case P_SCALED:
		acc[0] = multiply_add(x * centre, x * centre, acc[0]);
		break;
	case P_DOT:
		acc[0] = multiply_add(x, y, acc[0]);
		break;
	case P_L2SQ:
		acc[0] = multiply_add(x - y, x - y, acc[0]);
		break;
	case P_COSINE:
		acc[0] = multiply_add(x, y, acc[0]);
		acc[1] = multiply_add(x, x, acc[1]);
		acc[2] = multiply_add(y, y, acc[2]);
		break;
	case P_L1:
		acc[0] += magnitude(x - y);
		break;
	case P_FARTHEST:
		*nan |= unordered(x - y, x - y);
		acc[0] = part_join(acc[0], magnitude(x - y), part);
		break;
	case P_PRODUCT:
	case P_LEAST:
	case P_MOST:
		*nan |= unordered(x, y);
		acc[0] = part_join(acc[0], part_join(x, y, part), part);
		break;
	}
}

/* Adds the vectors from element i on. */
ISK_INLINE void part_term(vec acc[MAX_SUMS], truths *nan, const elem *a, const elem *b, size_t i, size_t n,
                          vec centre, const size_t step, const enum part part)
{
	const size_t j = i + (size_t)(4 * LINE), left = n - i, more = n > j ? n - j : 0;
	const vec x = part_load(a, i, left, centre, step, part);
	const vec y = in_pairs(part) ? part_load(a, j, more, centre, step, part)
	              : of_two(part) ? part_load(b, i, left, centre, step, part)
	                             : x;

	part_add(acc, nan, x, y, centre, part);
}

/* Adds the first n elements of a round. */
ISK_INLINE void part_terms(vec acc[4 * VECTORS][MAX_SUMS], truths *nan, const elem *a, const elem *b, size_t n,
                           lane centre, const size_t step, const enum part part)
{
	const int vectors = (part == P_COSINE ? 2 : 4) * VECTORS;

#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++) {
		const size_t before = (size_t)(v / VECTORS * LINE), i = (size_t)(v * COUNT);

		/* Every ISA skips the same whole lines, because an added zero may turn -0 into 0. */
		if (n <= before && sizeof(elem) > 2)
			break;
		part_term(acc[v], nan, a, b, i, n > i ? n : i, splat(centre), step, part);
	}
}

/*
 * For the loop of ahead.h. Elements of 16 bits gain nothing by prefetches, because they are widened first. Dot products,
 * distances and cosines of wider ones have code of their own (sum_tree.h), and products are not worth another loop.
 */
ISK_INLINE size_t last_part_ahead(const elem *a, const elem *b, size_t n, const enum part part)
{
	const int is_wide = sizeof(elem) > 2 && part != P_PRODUCT && part != P_DOT && part != P_L2SQ && part != P_COSINE;

	return isk_last_ahead(n, part_round(part), sizeof(elem), is_wide && (isk_is_split(a) || isk_is_split(b)));
}

/* Adds a round and prefetches what a later one reads (ahead.h). */
ISK_INLINE void part_round_ahead(vec acc[4 * VECTORS][MAX_SUMS], truths *nan, const elem *a, const elem *b, lane centre,
                                 const enum part part)
{
	const size_t round = part_round(part);
	vec all[8 * VECTORS];

	isk_prefetch_ahead(a, round * sizeof(*a));
	if (of_two(part))
		isk_prefetch_ahead(b, round * sizeof(*b));
	if (!in_pairs(part)) {
		part_terms(acc, nan, a, b, round, centre, 1, part);
		return;
	}
	load_in_order(all, a, 0);
#pragma GCC unroll 4
	for (int v = 0; v < 4 * VECTORS; v++)
		part_add(acc[v], nan, all[v], all[v + 4 * VECTORS], splat(centre), part);
}

/* The lines of n elements, step apart, which `after` others follow. If a maximum or minimum is NaN, all lanes are. */
ISK_INLINE void part_lines(line *out, const elem *a, const elem *b, size_t n, size_t after, size_t step, lane centre,
                           const enum part part)
{
	const int vectors = (part == P_COSINE ? 2 : 4) * VECTORS, sums = part_sums(part);
	const size_t round = part_round(part), last_ahead = last_part_ahead(a, b, n + after, part);
	const uint64_t nothing = nothing_bits(part, (double)centre);
	struct room room[2];
	truths nan = ISK_MASK(first)(0);
	vec acc[4 * VECTORS][MAX_SUMS];

#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++)
#pragma GCC unroll 3
		for (int s = 0; s < sums; s++)
			acc[v][s] = splat(is_sum(part) || part == P_FARTHEST ? 0 : part_nothing(part, centre));
	/* This loop has no call, because a call would take registers from it. */
	for (; step == 1 && n >= round && n + after > last_ahead; n -= round, a += round, b += of_two(part) ? round : 0)
		part_round_ahead(acc, &nan, a, b, centre, part);
	for (; VL > 4 && step == 1 && n >= round; n -= round, a += round, b += of_two(part) ? round : 0)
		part_terms(acc, &nan, a, b, round, centre, 1, part);
	for (; has_loads_by_two(part) && step == 2 && n >= round; n -= round, a += 2 * round)
		part_terms(acc, &nan, a, b, round, centre, 2, part);
	if (HAS_MASKS && step == 1) {
		if (n)
			part_terms(acc, &nan, a, b, n, centre, 1, part);
		n = 0;
	}
	while (n && (!HAS_MASKS || may_be_strided(part))) {
		const size_t now = n < round ? n : round;
		const elem *p = a, *q = b;

		if (VL > 4 || now < round || step != 1) {
			p = ISK_PART(room, copied)(&room[0], a, now, step, sizeof(elem), round, nothing);
			if (of_two(part))
				q = ISK_PART(room, copied)(&room[1], b, now, step, sizeof(elem), round, nothing);
		}
		part_terms(acc, &nan, p, q, round, centre, 1, part);
		n -= now;
		a += now * step;
		b += of_two(part) ? now * step : 0;
	}
#pragma GCC unroll 3
	for (int half = vectors / 2; half >= VECTORS; half /= 2)
#pragma GCC unroll 8
		for (int v = 0; v < half; v++)
#pragma GCC unroll 3
			for (int s = 0; s < sums; s++)
				acc[v][s] = part_join(acc[v][s], acc[v + half][s], part);
	for (int v = 0; v < VECTORS; v++)
		for (int s = 0; s < sums; s++)
			out[s].v[v] = part != P_PRODUCT && any(nan) ? splat((lane)__builtin_nanf("")) : acc[v][s];
}

typedef void to_lines(line *out, const elem *a, const elem *b, size_t n, size_t after, size_t step, lane centre);

/* The lines of any number of elements: blocks in pairs, as in sum_tree.h. It is not inlined, because its frame is large. */
__attribute__((noinline, unused)) static void part_long(line *out, to_lines *lines, int sums, size_t block, const elem *a,
                                                        const elem *b, size_t n, size_t step, lane centre)
{
	cascade c[MAX_SUMS];
	line s[MAX_SUMS];

	for (int i = 0; i < sums; i++)
		begin(&c[i]);
	for (; n > block; n -= block) {
		lines(s, a, b, block, n - block, step, centre);
		push_each(c, s, sums);
		a += block * step;
		b += b ? block * step : 0;
	}
	lines(s, a, b, n, 0, step, centre);
	for (int i = 0; i < sums; i++)
		out[i] = end_line(&c[i], s[i]);
}

/* The lines of any number of elements; lines() reduces those of a block, or all of them if they are no sum. */
ISK_INLINE void part_whole(line *out, to_lines *lines, const elem *a, const elem *b, size_t n, size_t step, lane centre,
                           const enum part part)
{
	if (n > part_block(part) && is_sum(part))
		part_long(out, lines, part_sums(part), part_block(part), a, b, n, step, centre);
	else
		lines(out, a, b, n, 0, step, centre);
}

/* The product of the lanes of a line: lane i and lane i + half, for each half of the line. */
ISK_INLINE lane multiply_lanes(line l)
{
	typedef lane quarter __attribute__((vector_size(16)));
	lane x[LINE];
	quarter q[4], p;

	for (int v = 0; v < VECTORS; v++)
		ISK_WORD(store)(x + v * COUNT, l.v[v]);
	__builtin_memcpy(q, x, sizeof(q));
	p = (q[0] * q[2]) * (q[1] * q[3]);
	return sizeof(lane) == 8 ? p[0] * p[1] : (p[0] * p[2 % (16 / sizeof(lane))]) * (p[1] * p[3 % (16 / sizeof(lane))]);
}

/* Folds a line to one lane. */
ISK_INLINE lane part_fold(const line *s, const enum part part)
{
	line l = *s;

	if (part == P_PRODUCT)
		return multiply_lanes(l);
	if (part == P_LEAST) {
		for (int v = 0; v < VECTORS; v++)
			l.v[v] = -l.v[v];
		return -ISK_WORD(fold_max)(l.v);
	}
	return part == P_MOST || part == P_FARTHEST ? ISK_WORD(fold_max)(l.v) : add_lanes(l);
}

/* Writes the sums, or the product or extreme, of n elements to out. */
ISK_INLINE void part_all(lane out[MAX_SUMS], to_lines *lines, const elem *a, const elem *b, size_t n, size_t step,
                         lane centre, const enum part part)
{
	line s[MAX_SUMS];

	part_whole(s, lines, a, b, n, step, centre, part);
	for (int i = 0; i < part_sums(part); i++)
		out[i] = part_fold(&s[i], part);
}

#define LINES_OF(name, part)                                                   \
	ISK_APART static void name(line *out, const elem *a, const elem *b, size_t n, size_t after, size_t step, lane centre) \
	{                                                                          \
		part_lines(out, a, b, n, after, step, centre, part);                   \
	}

#define PART_OF(name, part)                                                    \
	LINES_OF(lines_##name, part)                                               \
	ISK_INLINE lane name(const elem *a, const elem *b, size_t n, size_t step)  \
	{                                                                          \
		lane out[MAX_SUMS];                                                    \
                                                                               \
		part_all(out, lines_##name, a, b, n, step, 1, part);                   \
		return out[0];                                                         \
	}

#endif
