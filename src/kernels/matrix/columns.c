/* SPDX-License-Identifier: MIT */
/*
 * A matrix by few columns. Vectors of columns would have few lanes in use, so here lanes
 * are rows: COUNT by COUNT squares of A are transposed in registers, and each column of a square
 * is multiplied by the elements of B for its k. The chains of additions are those of
 * multiply.h. On Zen 4 a square of f32 at AVX-512 takes 65 cycles with one column and 100 with four;
 * the 256 FMAs of eight lanes that a tile needs instead take at least 128. With seven columns
 * and more, tiles win unless k is deep, because a square uses up sixteen elements of a row
 * while their cache line is in the cache.
 */
#include "multiply.h"
#include "of_type.h"
#include "transpose_tile.h"

ISK_EXTERN column_fn KERNEL(few_columns);

/* The most columns; the bytes and 32-bit words of an element; rows of A that share a copy of B. */
enum { FEW = FEW_COLUMNS_OF(COUNT), BYTES = sizeof(elem), WORDS = BYTES / 4, ROWS = COLUMNS_SQUARES_OF(COUNT) * COUNT };

/* Adds a COUNT by COUNT square of A to the sums of its rows; y has n elements of B for each column of the square. */
ISK_INLINE void add_square(vec acc[FEW], const elem *a, size_t lda, const elem *y, const size_t n)
{
	const size_t side = 16 / BYTES;
	vi squares[LANES][SQUARE_MOST];

	squares_read(squares, a, BYTES * lda, COUNT, sizeof(vec), BYTES);
#pragma GCC unroll 4
	for (size_t l = 0; l < LANES; l++) {
		squares_turn(squares[l], BYTES);
#pragma GCC unroll 4
		for (size_t i = 0; i < side; i++)
#pragma GCC unroll 8
			for (size_t j = 0; j < n; j++)
				acc[j] = multiply_add((vec)squares[l][i], splat(y[(l * side + i) * n + j]), acc[j]);
	}
}

/*
 * Squares at once, because the n chains of COUNT FMAs of one square can take longer than its transposition. More rows would
 * collide in the cache.
 */
#define ABREAST(n) (COUNT > 8 || (n) > 2 ? 1 : COUNT > 4 ? 2 : 4 / (n))
enum { MOST_ABREAST = 4 };

/*
 * Adds `deep` of k to the sums of ABREAST(n) times COUNT rows of A, from row i on, which begin with 0 if is_first. The last
 * square overlaps the one before it, or the rows before a, so that it is whole; some rows are multiplied twice.
 */
ISK_INLINE void add_rows(elem *sums, int is_first, const elem *a, size_t i, size_t rows, size_t lda, size_t deep,
                         const elem *y, const size_t n)
{
	const size_t count = ABREAST(n);
	elem x[COUNT * COUNT] __attribute__((aligned(64)));
	const elem *from[MOST_ABREAST];
	vec acc[MOST_ABREAST][FEW];

#pragma GCC unroll 4
	for (size_t r = 0; r < count; r++) {
		const size_t row = i + r * COUNT, last = rows - COUNT;

		from[r] = a + (ptrdiff_t)(row + COUNT <= rows ? row : last) * (ptrdiff_t)lda;
#pragma GCC unroll 8
		for (size_t j = 0; j < n; j++)
			acc[r][j] = is_first ? splat(0) : load(sums, row + j * ROWS, COUNT);
	}
	for (; deep >= COUNT; deep -= COUNT, y += COUNT * n)
#pragma GCC unroll 4
		for (size_t r = 0; r < count; r++) {
			add_square(acc[r], from[r], lda, y, n);
			from[r] += COUNT;
		}
#pragma GCC unroll 4
	for (size_t r = 0; r < count; r++) {
		if (deep)
			squares_transpose(x, sizeof(vec), from[r], BYTES * lda, COUNT, deep, BYTES);
		for (size_t d = 0; d < deep; d++)
#pragma GCC unroll 8
			for (size_t j = 0; j < n; j++)
				acc[r][j] = multiply_add(load(x, d * COUNT, COUNT), splat(y[d * n + j]), acc[r][j]);
#pragma GCC unroll 8
		for (size_t j = 0; j < n; j++)
			store(sums, i + r * COUNT + j * ROWS, acc[r][j], COUNT);
	}
}

/* The sums of rows by n columns. */
ISK_INLINE void sum_rows(elem *sums, const elem *a, size_t lda, size_t rows, const elem *b, size_t ldb,
                         size_t step, size_t k, const size_t n)
{
	elem copy[COLUMNS_DEPTH * FEW];

	for (size_t at = 0; at == 0 || at < k; at += COLUMNS_DEPTH, a += COLUMNS_DEPTH, b += COLUMNS_DEPTH * ldb) {
		const size_t deep = k - at < COLUMNS_DEPTH ? k - at : COLUMNS_DEPTH;
		const int dense = ldb == n;

		for (size_t d = 0; d < deep && !dense; d++)
			for (size_t j = 0; j < n; j++)
				copy[d * n + j] = b[d * ldb + j * step];
		for (size_t i = 0; i < rows; i += ABREAST(n) * COUNT)
			add_rows(sums, !at, a, i, rows, lda, deep, dense ? b : copy, n);
	}
}

#define COLUMNS(n)                                                             \
	case n:                                                                    \
		if ((n) <= FEW)                                                        \
			sum_rows(sums, a, p->lda, rows, b, ldb, step, p->k, (n) <= FEW ? (n) : 1); \
		break;

void KERNEL(few_columns)(const struct product *p, const void *b_columns, size_t ldb, size_t step)
{
	const int plain = post_is_plain(p->post);
	const elem *const b = b_columns;
	const size_t n = p->n;
	elem *c = p->c;
	elem sums[FEW * ROWS], t[ROWS * COUNT];

	for (size_t row = 0; row < p->m; row += ROWS) {
		const size_t rows = p->m - row < ROWS ? p->m - row : ROWS;
		const elem *a = (const elem *)p->a + row * p->lda;
		const struct epilogue e = {p->c, p->ldc * WORDS, (float *)(void *)t, VL, row, 0, rows, n * WORDS, p->post};

		switch (n) {
			COLUMNS(1)
			COLUMNS(2)
			COLUMNS(3)
			COLUMNS(4)
			COLUMNS(5)
			COLUMNS(6)
			COLUMNS(7)
			COLUMNS(8)
		}
		for (size_t i = 0; i < rows; i++) {
			const size_t last = (rows - 1) / COUNT * COUNT, from = i < last ? i : i + COUNT - (rows - last);
			elem *to = plain ? c + (row + i) * p->ldc : t + i * COUNT;

			if (!plain)
				store(to, 0, splat(0), COUNT);
			for (size_t j = 0; j < n; j++)
				to[j] = sums[j * ROWS + from];
		}
		if (!plain)
			p->epilogue(&e);
	}
}
