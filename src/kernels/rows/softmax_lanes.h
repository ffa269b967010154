/* SPDX-License-Identifier: MIT */
/*
 * What a softmax needs of a row, in lanes of f32 or of f64: a template as ../sum_tree_lanes.h is, TREE being vf or vd.
 *
 * A row is taken in blocks of ROUNDS lines, in a buffer that is padded with -Inf to whole lines. The lines of
 * a block are added in order and those of the blocks as the cascade of sum_tree_lanes.h does: a term is rounded at most
 * 31 times in its block, 4 times when the line is folded, and ceil(log2(blocks)) times between, hence never
 * more than depth(n) allows.
 *
 * What depends on the type in memory is a function that loads a block.
 */
#define N(name) ISK_PASTE2(name##_, TREE)
#define W(word) ISK_PASTE2(TREE, _##word)
#define M(word) ISK_PASTE2(TREE_MASK, _##word)
#define COUNT   ((size_t)(sizeof(TREE) / sizeof(N(lane))))
#define LINE    (64 / sizeof(N(lane)))
#define VECTORS ((int)(LINE / COUNT))
#define INF     ((N(lane))__builtin_inff())

/* A row: x, or where it is masked scale * x + mask, where mask may be NULL. */
struct N(row) {
	const void *x, *mask;
	size_t n;
	N(lane) scale;
	int masked;
};

/* A block of it, and what is known of the row. */
struct N(buffer) {
	N(lane) e[ROUNDS * LINE];
	N(lane) max, sum;
};

ISK_INLINE size_t N(lines)(size_t n)
{
	return (n + LINE - 1) / LINE;
}

/* Elements of the block that begins with element i. */
ISK_INLINE size_t N(block_at)(size_t i, size_t n)
{
	return n - i < ROUNDS * LINE ? n - i : ROUNDS * LINE;
}

typedef void N(loader)(struct N(buffer) * b, const struct N(row) * row, size_t i);

/* Loads a block, and its maximum to that of the row: a NaN may be lost there, it is in the sum. */
ISK_INLINE void N(load_block)(struct N(buffer) * b, const struct N(row) * row, size_t i,
                              const enum isk_type type)
{
	const size_t n = N(block_at)(i, row->n), whole = N(lines)(n) * LINE;
	struct N(line) most;
	N(lane) max;

	for (int v = 0; v < VECTORS; v++)
		most.v[v] = W(set1)(-INF);
	for (size_t l = 0; l < whole; l += LINE)
		for (int v = 0; v < VECTORS; v++) {
			const size_t j = l + (size_t)v * COUNT, left = j < n ? n - j : 0;
			TREE e = W(load_as)(row->x, i + j, left, type);

			if (row->masked && row->mask)
				e = W(fma)(e, W(set1)(row->scale), W(load_as)(row->mask, i + j, left, type));
			else if (row->masked)
				e *= row->scale;
			e = left >= COUNT ? e : W(sel)(M(first)(left), e, W(set1)(-INF));
			most.v[v] = W(max)(most.v[v], e);
			W(store)(b->e + j, e);
		}
	max = W(fold_max)(most.v);
	b->max = max > b->max ? max : b->max;
}

/* Exponentials of e - max to the same places of an array, which may be e itself, and their sum to a line. */
ISK_APART static void N(exp_of_block)(struct N(line) * sum, N(lane) * to, const struct N(buffer) * b,
                                      size_t lines)
{
	const TREE max = W(set1)(b->max);

	for (int v = 0; v < VECTORS; v++)
		sum->v[v] = W(set1)(0);
	for (size_t l = 0; l < lines; l++)
		for (int v = 0; v < VECTORS; v++) {
			const size_t at = l * LINE + (size_t)v * COUNT;
			const TREE e = W(power)(W(load)(b->e + at) - max);

			W(store)(to + at, e);
			sum->v[v] += e;
		}
}

/* Where all of a row is masked its exponentials are 0, and so is the softmax; without a mask x - max is NaN.
 */
ISK_INLINE void N(centre)(struct N(buffer) * b, const struct N(row) * row)
{
	if (row->masked && b->max == -INF)
		b->max = 0;
}

ISK_INLINE void N(put_sum)(struct N(buffer) * b, const struct N(row) * row, N(lane) sum)
{
	b->sum = row->masked && sum == 0 ? 1 : sum;
}

/*
 * Maximum and sum of a row of more than a block. Where kept is not NULL, it is an array of lanes that takes
 * the exponentials; it may be x.
 */
ISK_LONG static void N(spread_long)(struct N(buffer) * b, const struct N(row) * row, N(lane) * kept,
                                    N(loader) * load)
{
	struct N(cascade) c;
	struct N(line) s;

	b->max = -INF;
	for (size_t i = 0; i < row->n; i += ROUNDS * LINE)
		load(b, row, i);
	N(centre)(b, row);
	c.blocks = c.depth = 0;
	for (size_t i = 0;; i += ROUNDS * LINE) {
		const size_t n = N(block_at)(i, row->n);
		N(lane) *to = kept && n == ROUNDS * LINE ? kept + i : b->e;

		load(b, row, i);
		N(exp_of_block)(&s, to, b, N(lines)(n));
		for (size_t j = 0; kept && to == b->e && j < n; j += COUNT)
			W(store_as)(kept, i + j, W(load)(b->e + j), n - j, TREE_TYPE);
		if (n == row->n - i)
			break;
		N(cascade_push)(&c, s);
	}
	N(put_sum)(b, row, N(cascade_end)(&c, s));
}

/* The same of a row of a block, all of whose exponentials are then in the buffer. */
ISK_INLINE void N(spread_short)(struct N(buffer) * b, const struct N(row) * row, N(loader) * load)
{
	struct N(line) s;

	b->max = -INF;
	load(b, row, 0);
	N(centre)(b, row);
	N(exp_of_block)(&s, b->e, b, N(lines)(row->n));
	N(put_sum)(b, row, W(fold_add)(s.v));
}

/* Where the exponentials of block i of a row of more are: kept, or computed once more. */
ISK_INLINE const N(lane) *N(again)(struct N(buffer) * b, const struct N(row) * row, const N(lane) * kept,
                                   size_t i, N(loader) * load)
{
	struct N(line) unused;

	if (kept)
		return kept + i;
	load(b, row, i);
	N(exp_of_block)(&unused, b->e, b, N(lines)(N(block_at)(i, row->n)));
	return b->e;
}

/* y = (e / sum - hot) * times, where hot is 1 for the element of that number. */
ISK_INLINE void N(write_block)(void *y, const N(lane) * e, N(lane) sum, size_t i, size_t n, size_t hot,
                               N(lane) times, const enum isk_type type)
{
	const N(lane) factor = 1 / sum, at_hot = hot - i < n ? e[hot - i] : 0;

	for (size_t j = 0; j < n; j += COUNT)
		W(store_as)(y, i + j, W(load_as)(e, j, n - j, TREE_TYPE) * factor * times, n - j, type);
	if (hot - i < n)
		W(store_as)(y, hot, W(set1)((at_hot * factor - 1) * times), 1, type);
}

#undef N
#undef W
#undef M
#undef COUNT
#undef LINE
#undef VECTORS
#undef INF
#undef TREE
#undef TREE_MASK
#undef TREE_TYPE
