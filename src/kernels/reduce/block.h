/* SPDX-License-Identifier: MIT */
/*
 * Blocks of sum_tree_lanes.h in less code, for the reductions outside sum.c, dot.c and max.c. One
 * loop takes whole rounds from memory. The remaining elements are loaded with masks or, if the ISA
 * has none, from a copy that is padded with elements that change nothing; elements a stride apart
 * are copied too. The elements of a lane, their order, and the addition of lanes and lines are
 * those of sum_tree_lanes.h. A template, for lanes of f32 and of f64: blocks.h includes it for both.
 *
 *     TREE   vf or vd: the vectors in which it computes, and the end of its names
 */
#define N(name) ISK_PASTE2(name##_, TREE)
#define W(word) ISK_PASTE2(TREE, _##word)
#define M(word) ISK_PASTE2(TREE_MASK, _##word)
#define COUNT   ((int)(sizeof(TREE) / sizeof(N(lane))))
#define LINE    ((int)(64 / sizeof(N(lane))))
#define WIDE    (LINE / COUNT)

/* Elements of each array in a round. */
ISK_INLINE size_t N(part_round)(const enum part part)
{
	return (size_t)(part == P_COSINE ? 2 * LINE : in_pairs(part) ? 8 * LINE : 4 * LINE);
}

/* Elements of each array in a block of a sum. */
ISK_INLINE size_t N(part_block)(const enum part part)
{
	return ROUNDS * N(part_round)(part);
}

/* Joins two accumulators. */
ISK_INLINE TREE N(part_join)(TREE a, TREE b, const enum part part)
{
	return part == P_PRODUCT                   ? a * b
	       : part == P_LEAST                   ? W(min)(a, b)
	       : part == P_MOST || part == P_FARTHEST ? W(max)(a, b)
	                                           : a + b;
}

/* An element that changes nothing. */
ISK_INLINE N(lane) N(part_nothing)(const enum part part, N(lane) centre)
{
	const N(lane) infinite = (N(lane))__builtin_inf();

	return part == P_PRODUCT     ? 1
	       : part == P_LEAST     ? infinite
	       : part == P_MOST      ? -infinite
	       : part == P_DEVIATION ? centre
	                             : 0;
}

/* Loads n elements; the other lanes get the element that changes nothing. */
ISK_INLINE TREE N(part_load)(const void *x, size_t i, size_t n, TREE centre, const enum part part,
                             const enum isk_type type)
{
	const TREE v = W(load_as)(x, i, n, type);

	if (n >= (size_t)COUNT || part_nothing_is_0(part))
		return v;
	return W(sel)(M(first)(n), v, W(set1)(N(part_nothing)(part, centre[0])));
}

/* Adds a vector of a, from element i on, and its partner: that of b or, in pairs, that 4 lines further on in a. */
ISK_INLINE void N(part_term)(TREE acc[MAX_SUMS], __typeof(M(first)(0)) *nan, const void *a, const void *b, size_t i,
                             size_t n, TREE centre, const enum part part, const enum isk_type type)
{
	const size_t j = i + (size_t)(4 * LINE), left = n - i, more = n > j ? n - j : 0;
	const TREE x = N(part_load)(a, i, left, centre, part, type);
	const TREE y = in_pairs(part) ? N(part_load)(a, j, more, centre, part, type)
	               : of_two(part) ? N(part_load)(b, i, left, centre, part, type)
	                              : x;
	const __typeof((TREE){0} < (TREE){0}) one = (__typeof((TREE){0} < (TREE){0}))W(set1)(1);

	switch (part) {
	case P_SUM:
		acc[0] += x + y;
		break;
	case P_SIZE:
		acc[0] += W(abs)(x) + W(abs)(y);
		break;
	case P_NONZERO:
		acc[0] += (TREE)(one & (x != 0)) + (TREE)(one & (y != 0));
		break;
	case P_DEVIATION:
		acc[0] += x - centre;
		acc[1] = W(fma)(x - centre, x - centre, acc[1]);
		break;
	case P_SCALED:
		acc[0] = W(fma)(x * centre, x * centre, acc[0]);
		break;
	case P_DOT:
		acc[0] = W(fma)(x, y, acc[0]);
		break;
	case P_L2SQ:
		acc[0] = W(fma)(x - y, x - y, acc[0]);
		break;
	case P_COSINE:
		acc[0] = W(fma)(x, y, acc[0]);
		acc[1] = W(fma)(x, x, acc[1]);
		acc[2] = W(fma)(y, y, acc[2]);
		break;
	case P_L1:
		acc[0] += W(abs)(x - y);
		break;
	case P_FARTHEST:
		*nan |= W(unordered)(x - y, x - y);
		acc[0] = N(part_join)(acc[0], W(abs)(x - y), part);
		break;
	case P_PRODUCT:
	case P_LEAST:
	case P_MOST:
		*nan |= W(unordered)(x, y);
		acc[0] = N(part_join)(acc[0], N(part_join)(x, y, part), part);
		break;
	}
}

/* Adds the first n elements of a round. */
ISK_INLINE void N(part_terms)(TREE acc[4 * WIDE][MAX_SUMS], __typeof(M(first)(0)) *nan, const void *a,
                              const void *b, size_t n, N(lane) centre, const enum part part,
                              const enum isk_type type)
{
	const int vectors = (part == P_COSINE ? 2 : 4) * WIDE;

#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++) {
		const size_t line = (size_t)(v / WIDE * LINE), i = (size_t)(v * COUNT);

		/* Every ISA skips the same whole lines, because an added zero may turn -0 into 0. */
		if (n <= line && isk_element_bytes(type) > 2)
			break;
		N(part_term)(acc[v], nan, a, b, i, n > i ? n : i, W(set1)(centre), part, type);
	}
}

/* The lines of n elements, step apart. If a maximum or minimum is NaN, all lanes are. */
ISK_INLINE void N(part_lines)(struct N(line) *out, const char *a, const char *b, size_t n, size_t step,
                              N(lane) centre, const enum part part, const enum isk_type type)
{
	const int vectors = (part == P_COSINE ? 2 : 4) * WIDE, sums = part_sums(part);
	const size_t round = N(part_round)(part), bytes = isk_element_bytes(type);
	const uint64_t nothing = nothing_bits(part, type, (double)centre);
	struct room room[2];
	__typeof(M(first)(0)) nan = M(first)(0);
	TREE acc[4 * WIDE][MAX_SUMS];

#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++)
#pragma GCC unroll 3
		for (int s = 0; s < sums; s++)
			acc[v][s] = W(set1)(is_sum(part) || part == P_FARTHEST ? 0 : N(part_nothing)(part, centre));
	/* This loop has no call, because a call would take registers from it. */
	for (; VL > 4 && step == 1 && n >= round; n -= round, a += round * bytes, b += of_two(part) ? round * bytes : 0)
		N(part_terms)(acc, &nan, a, b, round, centre, part, type);
	if (masked(bytes) && step == 1) {
		if (n)
			N(part_terms)(acc, &nan, a, b, n, centre, part, type);
		n = 0;
	}
	while (n && (!masked(bytes) || may_be_strided(part))) {
		const size_t now = n < round ? n : round;
		const char *p = a, *q = b;

		if (VL > 4 || now < round || step != 1) {
			p = copied(&room[0], a, now, step, bytes, round, nothing);
			if (of_two(part))
				q = copied(&room[1], b, now, step, bytes, round, nothing);
		}
		N(part_terms)(acc, &nan, p, q, round, centre, part, type);
		n -= now;
		a += now * step * bytes;
		b += of_two(part) ? now * step * bytes : 0;
	}
#pragma GCC unroll 3
	for (int half = vectors / 2; half >= WIDE; half /= 2)
#pragma GCC unroll 8
		for (int v = 0; v < half; v++)
#pragma GCC unroll 3
			for (int s = 0; s < sums; s++)
				acc[v][s] = N(part_join)(acc[v][s], acc[v + half][s], part);
	for (int v = 0; v < WIDE; v++)
		for (int s = 0; s < sums; s++)
			out[s].v[v] = part != P_PRODUCT && M(any)(nan) ? W(set1)((N(lane))__builtin_nanf("")) : acc[v][s];
}

typedef void N(lines)(struct N(line) *out, const void *a, const void *b, size_t n, size_t step, N(lane) centre);

/* A sum of more than a block: blocks in pairs, as in sum_tree_lanes.h. It is not inlined, because its frame is large. */
__attribute__((noinline, unused)) static void N(part_long)(N(lane) *out, N(lines) *lines, int sums, size_t block,
                                                           const char *a, const char *b, size_t n, size_t step,
                                                           size_t bytes, N(lane) centre)
{
	struct N(cascade) c[MAX_SUMS];
	struct N(line) s[MAX_SUMS];

	for (int i = 0; i < sums; i++)
		c[i].blocks = c[i].depth = 0;
	for (; n > block; n -= block) {
		lines(s, a, b, block, step, centre);
		for (int i = 0; i < sums; i++)
			N(cascade_push)(&c[i], s[i]);
		a += block * step * bytes;
		b += b ? block * step * bytes : 0;
	}
	lines(s, a, b, n, step, centre);
	for (int i = 0; i < sums; i++)
		out[i] = N(cascade_end)(&c[i], s[i]);
}

/* Folds a line to one lane. */
ISK_INLINE N(lane) N(part_fold)(const struct N(line) *s, const enum part part)
{
	struct N(line) l = *s;

	if (part == P_PRODUCT) {
		N(lane) x[LINE];

		for (int v = 0; v < WIDE; v++)
			W(store)(x + v * COUNT, l.v[v]);
		for (int half = LINE / 2; half; half /= 2)
			for (int i = 0; i < half; i++)
				x[i] *= x[i + half];
		return x[0];
	}
	if (part == P_LEAST) {
		for (int v = 0; v < WIDE; v++)
			l.v[v] = -l.v[v];
		return -W(fold_max)(l.v);
	}
	return part == P_MOST || part == P_FARTHEST ? W(fold_max)(l.v) : W(fold_add)(l.v);
}

/* Writes the sums, or the product or extreme, of n elements to out; lines() reduces them to lines. */
ISK_INLINE void N(part_all)(N(lane) out[MAX_SUMS], N(lines) *lines, const void *a, const void *b, size_t n,
                            size_t step, N(lane) centre, const enum part part, const enum isk_type type)
{
	const size_t block = N(part_block)(part);
	struct N(line) s[MAX_SUMS];

	if (n > block && is_sum(part)) {
		N(part_long)(out, lines, part_sums(part), block, a, b, n, step, isk_element_bytes(type), centre);
		return;
	}
	lines(s, a, b, n, step, centre);
	for (int i = 0; i < part_sums(part); i++)
		out[i] = N(part_fold)(&s[i], part);
}

#undef N
#undef W
#undef M
#undef COUNT
#undef LINE
#undef WIDE
#undef TREE
#undef TREE_MASK
