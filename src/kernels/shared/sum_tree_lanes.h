/* SPDX-License-Identifier: MIT */
/*
 * Sums and maxima in a tree that depends on the number of elements alone, so
 * that every vector width gives the same bits. A template, for lanes of f32 and
 * of f64: sum_tree.h includes it for both.
 *
 *     TREE   vf or vd: the vectors in which it computes, and the end of its names
 *
 * A line here is 64 bytes of sums: LINE lanes, 16 of f32 or 8 of f64. Element i goes to lane
 * i % (4 * LINE), for the cosine i % (2 * LINE). A block is at most ROUNDS terms a
 * lane, added in order; its lanes are then folded to a line: lane j + half is added to
 * lane j. The lines of the blocks are added in pairs, pairs of pairs and so on,
 * like the carries of a counter, and the last line is folded to one number. A term
 * is therefore rounded at most 32 + log2(lanes) times in its block and
 * ceil(log2(blocks)) times above it, in total less than 32 + log2(n) times if
 * there is more than one block, and less than n times if n is small. Blocks are so long
 * that the additions of lines cost nothing, and so short that the error of ten million
 * elements stays close to that of a thousand.
 *
 * This proves the bounds of sum and dot: 1 in units of eps * depth(n) * sum
 * |terms|. l2sq adds 2 roundings of the difference to each term, hence the
 * n + 2 of depth(n); the cosine adds 4 roundings of the result to half of those of
 * both squares. Worst found, f32: sum 0.74 and dot 0.74 (1, followed in its lane by numbers
 * just too small to round the sum up), l2sq 0.83 (n = 1), cosine 0.70
 * (0x1.f44a4cp+1, -0x1.601928p+0 and -0x1.7ca394p-3, 0x1.ea7674p-2).
 */
#define N(name) ISK_PASTE2(name##_, TREE)
#define W(word) ISK_PASTE2(TREE, _##word)
#define M(word) ISK_PASTE2(TREE_MASK, _##word)

/* The type of a lane; the numbers of lanes in a vector (COUNT) and in a line (LINE), and of vectors in a line (WIDE). */
typedef __typeof((TREE){0}[0]) N(lane);
#define COUNT ((int)(sizeof(TREE) / sizeof(N(lane))))
#define LINE  ((int)(64 / sizeof(N(lane))))
#define WIDE  (LINE / COUNT)

struct N(line) {
	TREE v[WIDE];
};

/* Element lanes of a block: as many as 16 registers hold, so that additions wait for loads, not for earlier additions. */
ISK_INLINE int N(lanes_of)(const enum term term)
{
	return term == COSINE ? 2 * LINE : 4 * LINE;
}

/* Elements of a in a round. A plain sum adds two of them first, which halves the number of chains. */
ISK_INLINE int N(round_of)(const enum term term)
{
	return term == SUM ? 8 * LINE : N(lanes_of)(term);
}

/* Adds the terms of the first na elements from a[i] and nb from b[j] on to the accumulators of one vector. */
ISK_INLINE void N(reduce_term)(TREE acc[MAX_SUMS], const void *a, size_t i, size_t na, const void *b, size_t j,
                               size_t nb, TREE centre, const enum term term, const enum isk_type type)
{
	const TREE x = W(load_as)(a, i, na, type);
	TREE d;

	switch (term) {
	case SUM:
		acc[0] += x + (nb ? W(load_as)(b, j, nb, type) : W(set1)(0));
		break;
	case SQUARE:
		acc[0] = W(fma)(x, x, acc[0]);
		break;
	case DEVIATION:
		d = na >= (size_t)COUNT ? x - centre : W(sel)(M(first)(na), x - centre, W(set1)(0));
		acc[0] = W(fma)(d, d, acc[0]);
		break;
	case DOT:
		acc[0] = W(fma)(x, W(load_as)(b, j, nb, type), acc[0]);
		break;
	case L2SQ:
		d = x - W(load_as)(b, j, nb, type);
		acc[0] = W(fma)(d, d, acc[0]);
		break;
	case COSINE:
		d = W(load_as)(b, j, nb, type);
		acc[0] = W(fma)(x, d, acc[0]);
		acc[1] = W(fma)(x, x, acc[1]);
		acc[2] = W(fma)(d, d, acc[2]);
		break;
	}
}

/* Sums one block of both arrays from element `at` on, with n <= ROUNDS * round_of(term). */
ISK_INLINE void N(reduce_block)(struct N(line) *out, const void *a, const void *b, size_t at, size_t n, TREE centre,
                                const enum term term, const enum isk_type type)
{
	const int vectors = N(lanes_of)(term) / COUNT, sums = sums_of(term);
	const size_t round = (size_t)N(round_of)(term), skip = round - (size_t)N(lanes_of)(term);
	TREE acc[4 * WIDE][MAX_SUMS];

#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++)
#pragma GCC unroll 3
		for (int s = 0; s < sums; s++)
			acc[v][s] = W(set1)(0);
	for (; n >= round; n -= round, at += round)
#pragma GCC unroll 16
		for (int v = 0; v < vectors; v++) {
			const size_t i = at + (size_t)(v * COUNT);

			N(reduce_term)(acc[v], a, i, (size_t)COUNT, term == SUM ? a : b, i + skip, (size_t)COUNT, centre, term,
			               type);
		}
#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++) {
		const size_t i = (size_t)(v * COUNT);

		if (n <= i)
			break;
		N(reduce_term)(acc[v], a, at + i, n - i, term == SUM ? a : b, at + i + skip,
		               n > i + skip ? n - i - skip : 0, centre, term, type);
	}
#pragma GCC unroll 3
	for (int half = vectors / 2; half >= WIDE; half /= 2)
#pragma GCC unroll 8
		for (int v = 0; v < half; v++)
#pragma GCC unroll 3
			for (int s = 0; s < sums; s++)
				acc[v][s] += acc[v + half][s];
#pragma GCC unroll 4
	for (int v = 0; v < WIDE; v++)
#pragma GCC unroll 3
		for (int s = 0; s < sums; s++)
			out[s].v[v] = acc[v][s];
}

/*
 * The counter of blocks and its pending sums, one for each set bit of the counter: the sum of
 * as many blocks as the bit is worth. Elements have at least 2 bytes, so there are at most
 * 2^63 of them, in blocks of at least ROUNDS lines.
 */
struct N(cascade) {
	struct N(line) level[LEVELS];
	size_t blocks;
	int depth;
};

_Static_assert(((uint64_t)1 << 63) / (ROUNDS * LINE) <= (uint64_t)1 << LEVELS, "a level for each bit of the number of blocks");

ISK_INLINE struct N(line) N(cascade_pop)(struct N(cascade) *c, struct N(line) s)
{
	c->depth--;
	for (int v = 0; v < WIDE; v++)
		s.v[v] = c->level[c->depth].v[v] + s.v[v];
	return s;
}

/* Adds a block that is not the last. */
ISK_INLINE void N(cascade_push)(struct N(cascade) *c, struct N(line) s)
{
	for (size_t bit = c->blocks++; bit & 1; bit >>= 1)
		s = N(cascade_pop)(c, s);
	c->level[c->depth++] = s;
}

/* Adds the last block and returns the sum of all. */
ISK_INLINE N(lane) N(cascade_end)(struct N(cascade) *c, struct N(line) s)
{
	while (c->depth)
		s = N(cascade_pop)(c, s);
	return W(fold_add)(s.v);
}

/* The number of elements of a block. */
ISK_INLINE size_t N(block_of)(const enum term term)
{
	return (size_t)(ROUNDS * N(round_of)(term));
}

/*
 * The sums of at most one term for each lane: whole lines and a last line of n elements. Since no chain begins with
 * +0 here, a sum of -0 alone is -0 at first; + 0 makes it +0, as in longer sums.
 */
ISK_INLINE void N(reduce_lines)(N(lane) out[MAX_SUMS], const int lines, const N(lane) *a, const N(lane) *b, size_t n,
                                const enum term term)
{
	const int vectors = lines * WIDE;
	TREE acc[4 * WIDE][MAX_SUMS];

#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++) {
		const size_t i = (size_t)(v * COUNT), before = (size_t)(v % WIDE * COUNT);
		const size_t left = n > before ? n - before : 0;
		const int is_whole = v < vectors - WIDE;
		const TREE x = is_whole ? W(load)(a + i) : W(load_n)(a + i, left);
		const TREE y = term == SUM ? x : is_whole ? W(load)(b + i) : W(load_n)(b + i, left);

		acc[v][0] = term == SUM ? x : term == L2SQ ? (x - y) * (x - y) : x * y;
		acc[v][1] = x * x;
		acc[v][2] = y * y;
	}
#pragma GCC unroll 3
	for (int half = 2 * WIDE; half >= WIDE; half /= 2)
#pragma GCC unroll 8
		for (int v = 0; v < half; v++)
#pragma GCC unroll 3
			for (int s = 0; s < sums_of(term); s++)
				if (v + half < vectors)
					acc[v][s] += acc[v + half][s];
#pragma GCC unroll 3
	for (int s = 0; s < sums_of(term); s++) {
		struct N(line) sum;

#pragma GCC unroll 4
		for (int v = 0; v < WIDE; v++)
			sum.v[v] = acc[v][s];
		out[s] = W(fold_add)(sum.v) + 0;
	}
}

/* The sums of a block or less. */
ISK_INLINE void N(reduce_short)(N(lane) out[MAX_SUMS], const void *a, const void *b, size_t n, const enum term term,
                                const enum isk_type type)
{
	struct N(line) s[MAX_SUMS];

	N(reduce_block)(s, a, b, 0, n, W(set1)(0), term, type);
#pragma GCC unroll 3
	for (int i = 0; i < sums_of(term); i++)
		out[i] = W(fold_add)(s[i].v);
}

/* Whether a sum takes the shorter path of reduce_few(): the ISA has masked loads, and n <= lanes_of(term). */
ISK_INLINE int N(is_few)(size_t n, const enum term term)
{
	return VL > 4 && n <= (size_t)N(lanes_of)(term);
}

/* The sums of n <= lanes_of(term) elements, with code for each number of lines. */
ISK_INLINE void N(reduce_few)(N(lane) out[MAX_SUMS], const N(lane) *a, const N(lane) *b, size_t n, const enum term term)
{
	if (n <= LINE)
		N(reduce_lines)(out, 1, a, b, n, term);
	else if (n <= 2 * LINE || N(lanes_of)(term) == 2 * LINE)
		N(reduce_lines)(out, 2, a, b, n - LINE, term);
	else if (n <= 3 * LINE)
		N(reduce_lines)(out, 3, a, b, n - 2 * LINE, term);
	else
		N(reduce_lines)(out, 4, a, b, n - 3 * LINE, term);
}

/* The sums of n elements. */
ISK_INLINE void N(reduce)(N(lane) out[MAX_SUMS], const void *a, const void *b, size_t n, N(lane) centre,
                          const enum term term, const enum isk_type type)
{
	const size_t step = N(block_of)(term);
	struct N(cascade) c[MAX_SUMS];
	struct N(line) s[MAX_SUMS];
	size_t at = 0;

	for (int i = 0; i < sums_of(term); i++)
		c[i].blocks = c[i].depth = 0;
	for (; n - at > step; at += step) {
		N(reduce_block)(s, a, b, at, step, W(set1)(centre), term, type);
		for (int i = 0; i < sums_of(term); i++)
			N(cascade_push)(&c[i], s[i]);
	}
	N(reduce_block)(s, a, b, at, n - at, W(set1)(centre), term, type);
	for (int i = 0; i < sums_of(term); i++)
		out[i] = N(cascade_end)(&c[i], s[i]);
}

struct N(maximum) {
	struct N(line) lanes; /* invalid if nan, because the maxima ignore some NaNs */
	int nan;              /* there is a NaN */
};

ISK_INLINE TREE N(max_load)(const void *x, size_t i, size_t n, const enum isk_type type)
{
	const TREE v = W(load_as)(x, i, n, type);

	return n >= (size_t)COUNT ? v : W(sel)(M(first)(n), v, W(set1)(-(N(lane))__builtin_inff()));
}

/*
 * The maximum of n elements from x[at] on, in 4 lines of lanes. Elements 4 lines apart are
 * compared first, which halves the chains of accumulators and the tests for NaN. If both
 * zeros are the maximum, the tree determines which one is the result.
 */
ISK_INLINE struct N(maximum) N(reduce_max)(const void *x, size_t at, size_t n, const enum isk_type type)
{
	const size_t half = 4 * LINE;
	struct N(maximum) out;
	TREE acc[4 * WIDE];
	__typeof(M(first)(0)) nan = M(first)(0);

#pragma GCC unroll 16
	for (int v = 0; v < 4 * WIDE; v++)
		acc[v] = W(set1)(-(N(lane))__builtin_inff());
	for (; n >= 2 * half; n -= 2 * half, at += 2 * half)
#pragma GCC unroll 16
		for (int v = 0; v < 4 * WIDE; v++) {
			const TREE a = W(load_as)(x, at + (size_t)(v * COUNT), (size_t)COUNT, type);
			const TREE b = W(load_as)(x, at + half + (size_t)(v * COUNT), (size_t)COUNT, type);

			nan |= W(unordered)(a, b);
			acc[v] = W(max)(acc[v], W(max)(a, b));
		}
#pragma GCC unroll 16
	for (int v = 0; v < 4 * WIDE; v++) {
		const size_t low = (size_t)(v * COUNT), high = low + half;
		TREE a, b;

		if (n <= low)
			break;
		a = N(max_load)(x, at + low, n - low, type);
		b = n > high ? N(max_load)(x, at + high, n - high, type) : a;
		nan |= W(unordered)(a, b);
		acc[v] = W(max)(acc[v], W(max)(a, b));
	}
#pragma GCC unroll 3
	for (int h = 2 * WIDE; h >= WIDE; h /= 2)
#pragma GCC unroll 16
		for (int v = 0; v < h; v++)
			acc[v] = W(max)(acc[v], acc[v + h]);
	for (int v = 0; v < WIDE; v++)
		out.lanes.v[v] = acc[v];
	out.nan = M(any)(nan);
	return out;
}

#undef N
#undef W
#undef M
#undef COUNT
#undef LINE
#undef WIDE
#undef TREE
#undef TREE_MASK
