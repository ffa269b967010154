/* SPDX-License-Identifier: MIT */
/*
 * Sums of columns. A column is one lane: blocks of ROUNDS rows are added in
 * order and the blocks as the carries of a counter, as in tree.h, so the order
 * depends on the number of rows alone. A template, for lanes of f32 and of f64:
 * STRIPE is vf or vd.
 */
#define N(name) ISK_PASTE2(name##_, STRIPE)
#define W(word) ISK_PASTE2(STRIPE, _##word)

typedef __typeof((STRIPE){0}[0]) N(one);
#define COUNT (sizeof(STRIPE) / sizeof(N(one)))

struct N(stripe) {
	STRIPE v[WIDTH];
};

/* What up to WIDTH vectors of columns from column i on sum up to, divided; the last one has tail of them. */
ISK_INLINE void N(stripe)(void *y, const void *x, size_t rows, size_t ldx, size_t i, const size_t width, size_t tail,
                          N(one) divisor, const enum isk_type type)
{
	struct N(stripe) level[64], s;
	size_t blocks = 0, at = i;
	int depth = 0;

	for (;;) {
		size_t now = rows < ROUNDS ? rows : ROUNDS;

		rows -= now;
#pragma GCC unroll 8
		for (size_t v = 0; v < width; v++)
			s.v[v] = W(set1)(0);
		for (; now; now--, at += ldx) {
#pragma GCC unroll 8
			for (size_t v = 0; v < width - 1; v++)
				s.v[v] += W(load_as)(x, at + v * COUNT, COUNT, type);
			s.v[width - 1] += W(load_as)(x, at + (width - 1) * COUNT, tail, type);
		}
		if (rows == 0)
			break;
		for (size_t bit = blocks++; bit & 1; bit >>= 1) {
			depth--;
			for (size_t v = 0; v < width; v++)
				s.v[v] = level[depth].v[v] + s.v[v];
		}
		level[depth++] = s;
	}
	while (depth) {
		depth--;
		for (size_t v = 0; v < width; v++)
			s.v[v] = level[depth].v[v] + s.v[v];
	}
	for (size_t v = 0; v < width; v++)
		W(store_as)(y, i + v * COUNT, s.v[v] / divisor, v + 1 < width ? COUNT : tail, type);
}

ISK_INLINE void N(stripes)(void *y, const void *x, size_t rows, size_t cols, size_t ldx, N(one) divisor,
                           const enum isk_type type)
{
	size_t i = 0;

	for (; cols - i >= WIDTH * COUNT; i += WIDTH * COUNT)
		N(stripe)(y, x, rows, ldx, i, WIDTH, COUNT, divisor, type);
	for (; cols - i >= COUNT; i += COUNT)
		N(stripe)(y, x, rows, ldx, i, 1, COUNT, divisor, type);
	if (i < cols)
		N(stripe)(y, x, rows, ldx, i, 1, cols - i, divisor, type);
}

#undef N
#undef W
#undef COUNT
#undef STRIPE
