/* SPDX-License-Identifier: MIT */
/*
 * A reduction of each column, for lanes of f32 and of f64: columns.h includes this
 * for both. A column is one lane. Blocks of ROUNDS rows are taken in order, and the
 * blocks as the carries of a counter, as in tree.h: the order depends on the number
 * of rows alone.
 *
 *     TREE   vf or vd: the vectors it computes in, and the end of its names
 */
#define N(name) ISK_PASTE2(name##_, TREE)
#define W(word) ISK_PASTE2(TREE, _##word)

struct N(stripe) {
	TREE v[WIDTH];
};

ISK_INLINE TREE N(column_join)(TREE a, TREE b, const enum column column)
{
	return column == LEAST_OF ? W(minimum)(a, b) : column == MOST_OF ? W(maximum)(a, b) : a + b;
}

ISK_INLINE struct N(stripe) N(stripe_join)(const struct N(stripe) *a, struct N(stripe) s, const enum column column)
{
	for (int v = 0; v < WIDTH; v++)
		s.v[v] = N(column_join)(a->v[v], s.v[v], column);
	return s;
}

ISK_INLINE TREE N(column_start)(const enum column column)
{
	const __typeof((TREE){0}[0]) infinite = (__typeof((TREE){0}[0]))__builtin_inf();

	return W(set1)(column == LEAST_OF ? infinite : column == MOST_OF ? -infinite : 0);
}

ISK_INLINE TREE N(column_step)(TREE s, TREE e, const enum column column)
{
	return column == SQUARES_OF ? W(fma)(e, e, s) : N(column_join)(s, e, column);
}

/* The results of WIDTH vectors of columns. */
ISK_INLINE struct N(stripe) N(stripe_of)(const char *x, size_t rows, size_t step, const enum column column,
                                         const enum isk_type type)
{
	const size_t all = sizeof(TREE) / sizeof((TREE){0}[0]);
	struct N(stripe) level[64], s;
	size_t blocks = 0;
	int depth = 0;

	for (;;) {
		size_t now = rows < ROUNDS ? rows : ROUNDS;

		rows -= now;
#pragma GCC unroll 8
		for (int v = 0; v < WIDTH; v++)
			s.v[v] = N(column_start)(column);
		for (; now; now--, x += step)
#pragma GCC unroll 8
			for (int v = 0; v < WIDTH; v++)
				s.v[v] = N(column_step)(s.v[v], W(load_as)(x, (size_t)v * all, all, type), column);
		if (rows == 0)
			break;
		for (size_t bit = blocks++; bit & 1; bit >>= 1)
			s = N(stripe_join)(&level[--depth], s, column);
		level[depth++] = s;
	}
	while (depth)
		s = N(stripe_join)(&level[--depth], s, column);
	return s;
}

/* The sums of blocks so far of one vector, as the carries of a counter. */
struct N(carries) {
	TREE level[64];
	size_t blocks;
	int depth;
};

ISK_INLINE void N(carry)(struct N(carries) * c, TREE s, const enum column column)
{
	for (size_t bit = c->blocks++; bit & 1; bit >>= 1)
		s = N(column_join)(c->level[--c->depth], s, column);
	c->level[c->depth++] = s;
}

/* Of one vector, n of whose columns there are: WIDTH blocks of rows beside each other, as long as others follow. */
ISK_INLINE TREE N(vector_of)(const char *x, size_t rows, size_t step, size_t n, const enum column column,
                             const enum isk_type type)
{
	struct N(carries) c;
	TREE s;

	c.blocks = 0;
	c.depth = 0;
	while (rows > WIDTH * ROUNDS) {
		struct N(stripe) beside;

#pragma GCC unroll 8
		for (int v = 0; v < WIDTH; v++)
			beside.v[v] = N(column_start)(column);
		for (int r = 0; r < ROUNDS; r++, x += step)
#pragma GCC unroll 8
			for (int v = 0; v < WIDTH; v++)
				beside.v[v] = N(column_step)(beside.v[v], W(load_as)(x + (size_t)(v * ROUNDS) * step, 0, n, type), column);
#pragma GCC unroll 8
		for (int v = 0; v < WIDTH; v++)
			N(carry)(&c, beside.v[v], column);
		x += (WIDTH - 1) * ROUNDS * step;
		rows -= WIDTH * ROUNDS;
	}
	for (;;) {
		size_t now = rows < ROUNDS ? rows : ROUNDS;

		rows -= now;
		s = N(column_start)(column);
		for (; now; now--, x += step)
			s = N(column_step)(s, W(load_as)(x, 0, n, type), column);
		if (rows == 0)
			break;
		N(carry)(&c, s, column);
	}
	while (c.depth)
		s = N(column_join)(c.level[--c.depth], s, column);
	return s;
}

/* Divided by a number, in y. */
ISK_INLINE void N(columns)(char *y, const char *x, size_t rows, size_t cols, size_t ldx,
                           __typeof((TREE){0}[0]) divisor, const enum column column, const enum isk_type type)
{
	const size_t all = sizeof(TREE) / sizeof((TREE){0}[0]), bytes = isk_element_bytes(type);
	struct N(stripe) s;

	for (; cols >= WIDTH * all; cols -= WIDTH * all, x += WIDTH * all * bytes, y += WIDTH * all * bytes) {
		s = N(stripe_of)(x, rows, ldx * bytes, column, type);
		for (int v = 0; v < WIDTH; v++)
			W(store_as)(y, (size_t)v * all, s.v[v] / divisor, all, type);
	}
	while (cols) {
		const size_t now = cols < all ? cols : all;

		W(store_as)(y, 0, N(vector_of)(x, rows, ldx * bytes, now, column, type) / divisor, now, type);
		cols -= now;
		x += now * bytes;
		y += now * bytes;
	}
}

#undef N
#undef W
#undef TREE
