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

ISK_INLINE struct N(stripe) N(stripe_join)(const struct N(stripe) *a, struct N(stripe) s, const int width,
                                           const enum column column)
{
	for (int v = 0; v < width; v++)
		s.v[v] = N(column_join)(a->v[v], s.v[v], column);
	return s;
}

/* The results of up to WIDTH vectors of columns, the last of which has tail of them. */
ISK_INLINE struct N(stripe) N(stripe_of)(const char *x, size_t rows, size_t step, const int width, size_t tail,
                                         const enum column column, const enum isk_type type)
{
	const size_t all = sizeof(TREE) / sizeof((TREE){0}[0]);
	const __typeof((TREE){0}[0]) infinite = (__typeof((TREE){0}[0]))__builtin_inf();
	const __typeof((TREE){0}[0]) nothing = column == LEAST_OF ? infinite : column == MOST_OF ? -infinite : 0;
	struct N(stripe) level[64], s;
	size_t blocks = 0;
	int depth = 0;

	for (;;) {
		size_t now = rows < ROUNDS ? rows : ROUNDS;

		rows -= now;
#pragma GCC unroll 4
		for (int v = 0; v < width; v++)
			s.v[v] = W(set1)(nothing);
		for (; now; now--, x += step)
#pragma GCC unroll 4
			for (int v = 0; v < width; v++) {
				const TREE e = W(load_as)(x, (size_t)v * all, v + 1 < width ? all : tail, type);

				s.v[v] = column == SQUARES_OF ? W(fma)(e, e, s.v[v]) : N(column_join)(s.v[v], e, column);
			}
		if (rows == 0)
			break;
		for (size_t bit = blocks++; bit & 1; bit >>= 1)
			s = N(stripe_join)(&level[--depth], s, width, column);
		level[depth++] = s;
	}
	while (depth)
		s = N(stripe_join)(&level[--depth], s, width, column);
	return s;
}

/* Divided by a number, in y. */
ISK_INLINE void N(columns)(char *y, const char *x, size_t rows, size_t cols, size_t ldx,
                           __typeof((TREE){0}[0]) divisor, const enum column column, const enum isk_type type)
{
	const size_t all = sizeof(TREE) / sizeof((TREE){0}[0]), bytes = isk_element_bytes(type);
	struct N(stripe) s;

	for (; cols >= WIDTH * all; cols -= WIDTH * all, x += WIDTH * all * bytes, y += WIDTH * all * bytes) {
		s = N(stripe_of)(x, rows, ldx * bytes, WIDTH, all, column, type);
		for (int v = 0; v < WIDTH; v++)
			W(store_as)(y, (size_t)v * all, s.v[v] / divisor, all, type);
	}
	while (cols) {
		const size_t now = cols < all ? cols : all;

		s = N(stripe_of)(x, rows, ldx * bytes, 1, now, column, type);
		W(store_as)(y, 0, s.v[0] / divisor, now, type);
		cols -= now;
		x += now * bytes;
		y += now * bytes;
	}
}

#undef N
#undef W
#undef TREE
