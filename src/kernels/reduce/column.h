/* SPDX-License-Identifier: MIT */
/*
 * A reduction of each column, for lanes of f32 and of f64: columns.h includes this
 * for both. A column is one lane. Blocks of ROUNDS rows are taken in order, and the
 * blocks as the carries of a counter, as in tree.h: the order depends on the number
 * of rows alone. What has a centre has one for each column.
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
	switch (column) {
	case LEAST_OF:
		return W(minimum)(a, b);
	case MOST_OF:
	case FARTHEST_OF:
		return W(maximum)(a, b);
	case PRODUCT_OF:
		return a * b;
	default:
		return a + b;
	}
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

	return W(set1)(column == LEAST_OF ? infinite : column == MOST_OF ? -infinite : column == PRODUCT_OF ? 1 : 0);
}

ISK_INLINE TREE N(column_step)(TREE s, TREE e, TREE centre, const enum column column)
{
	switch (column) {
	case SQUARES_OF:
		return W(fma)(e, e, s);
	case SIZES_OF:
	case FARTHEST_OF:
		return N(column_join)(s, W(abs)(e), column);
	case DEVIATIONS_OF:
		return W(fma)(e - centre, e - centre, s);
	case SCALED_OF:
		return W(fma)(e * centre, e * centre, s);
	case POWERS_OF:
		return s + W(power)(e - centre);
	default:
		return N(column_join)(s, e, column);
	}
}

/* The results of WIDTH vectors of columns. */
ISK_INLINE struct N(stripe) N(stripe_of)(const char *x, size_t rows, size_t step, const struct N(stripe) *centre,
                                         const enum column column, const enum isk_type type)
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
				s.v[v] = N(column_step)(s.v[v], W(load_as)(x, (size_t)v * all, all, type), centre->v[v], column);
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
ISK_INLINE TREE N(vector_of)(const char *x, size_t rows, size_t step, size_t n, TREE centre, const enum column column,
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
				beside.v[v] = N(column_step)(beside.v[v], W(load_as)(x + (size_t)(v * ROUNDS) * step, 0, n, type), centre,
				                             column);
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
			s = N(column_step)(s, W(load_as)(x, 0, n, type), centre, column);
		if (rows == 0)
			break;
		N(carry)(&c, s, column);
	}
	while (c.depth)
		s = N(column_join)(c.level[--c.depth], s, column);
	return s;
}

/* How many of the columns that are left come next: a stripe, or a vector, or what there is of one. */
ISK_INLINE size_t N(columns_now)(size_t cols)
{
	const size_t all = sizeof(TREE) / sizeof((TREE){0}[0]);

	return cols >= WIDTH * all ? WIDTH * all : cols < all ? cols : all;
}

ISK_INLINE struct N(stripe) N(some_columns)(const char *x, size_t rows, size_t step, size_t now,
                                            const struct N(stripe) *centre, const enum column column,
                                            const enum isk_type type)
{
	struct N(stripe) s = {{W(set1)(0)}};

	if (now > sizeof(TREE) / sizeof((TREE){0}[0]))
		return N(stripe_of)(x, rows, step, centre, column, type);
	s.v[0] = N(vector_of)(x, rows, step, now, centre->v[0], column, type);
	return s;
}

ISK_INLINE void N(put_columns)(void *y, const struct N(stripe) *s, size_t now, const enum isk_type type)
{
	const size_t all = sizeof(TREE) / sizeof((TREE){0}[0]);

	if (now <= all) {
		W(store_as)(y, 0, s->v[0], now, type);
		return;
	}
	for (size_t v = 0; v < WIDTH; v++)
		W(store_as)(y, v * all, s->v[v], all, type);
}

/* Divided by a number, in y. */
ISK_INLINE void N(columns)(char *y, const char *x, size_t rows, size_t cols, size_t ldx,
                           __typeof((TREE){0}[0]) divisor, const enum column column, const enum isk_type type)
{
	const struct N(stripe) no_centre = {{W(set1)(0)}};
	const size_t bytes = isk_element_bytes(type);
	size_t now;

	for (; cols; cols -= now, x += now * bytes, y += now * bytes) {
		struct N(stripe) s;

		now = N(columns_now)(cols);
		s = N(some_columns)(x, rows, ldx * bytes, now, &no_centre, column, type);
		for (int v = 0; v < WIDTH; v++)
			s.v[v] /= divisor;
		N(put_columns)(y, &s, now, type);
	}
}

/* The mean, and the sum of squared distances from it, which is divided. */
ISK_INLINE void N(moments_of_columns)(char *mean, char *variance, const char *x, size_t rows, size_t cols, size_t ldx,
                                      __typeof((TREE){0}[0]) divisor, const enum isk_type type)
{
	const struct N(stripe) no_centre = {{W(set1)(0)}};
	const size_t bytes = isk_element_bytes(type);
	size_t now;

	for (; cols; cols -= now, x += now * bytes, mean += now * bytes, variance += now * bytes) {
		struct N(stripe) centre, s;

		now = N(columns_now)(cols);
		centre = N(some_columns)(x, rows, ldx * bytes, now, &no_centre, SUM_OF, type);
		for (int v = 0; v < WIDTH; v++)
			centre.v[v] /= (__typeof((TREE){0}[0]))rows;
		s = N(some_columns)(x, rows, ldx * bytes, now, &centre, DEVIATIONS_OF, type);
		for (int v = 0; v < WIDTH; v++)
			s.v[v] /= divisor;
		N(put_columns)(mean, &centre, now, type);
		N(put_columns)(variance, &s, now, type);
	}
}

#undef N
#undef W
#undef TREE
