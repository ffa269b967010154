/* SPDX-License-Identifier: MIT */
/*
 * Products of a matrix by rows and a vector, in the order of other kernels: a row times the vector is dot, and the vector
 * times all columns is a matmul of one row, a chain of multiply-adds over the rows, or in axpy_rows an axpy for each row. In
 * the two products y is not read if beta is 0, nor are a and x if alpha is 0.
 */
#include "gemv_kernels.h"
#include "of_type.h"
#include "add_rows.h"
#include "part.h"
#include "sum_tree.h"

ISK_EXTERN lane KERNEL(dot)(const elem *a, const elem *b, size_t n);
ISK_EXTERN void KERNEL(axpy)(elem *y, const elem *x, size_t n, lane alpha);

/*
 * ROWS of at most a block of dot are multiplied together, so that x is read once for them: .63 to .85 of the time of dot for
 * each row if the matrix is in a cache of first or second level, 1.0 from the third (Zen 4, doubles). HELD: vectors of lanes
 * of each row that registers hold at a time; the columns are passed once for each HELD * COUNT of a row's LANES. With SSE2 it
 * would be .75 to .9 of the time, which is not worth 4 KB of code.
 */
enum {
	ROWS = 4,
	LANES = 4 * LINE,
	HELD = ISK_REGISTERS > 16 ? 4 : 2,
};

/* HELD vectors of lanes of each row, from lane `at` on: the sums of the columns that belong to them. */
ISK_INLINE void held_lanes(vec lanes[ROWS][LANES / COUNT], const elem *a, size_t lda, const elem *x, size_t at, size_t n)
{
	const size_t first = at / COUNT;
	vec sums[ROWS][HELD];

#pragma GCC unroll 4
	for (int r = 0; r < ROWS; r++)
#pragma GCC unroll 4
		for (int v = 0; v < HELD; v++)
			sums[r][v] = splat(0);
	for (; at + HELD * COUNT <= n; at += LANES)
#pragma GCC unroll 4
		for (size_t v = 0; v < HELD; v++) {
			const vec factors = load(x, at + v * COUNT, COUNT);

#pragma GCC unroll 4
			for (size_t r = 0; r < ROWS; r++)
				sums[r][v] = multiply_add(load(a + r * lda, at + v * COUNT, COUNT), factors, sums[r][v]);
		}
#pragma GCC unroll 4
	for (size_t v = 0; v < HELD; v++) {
		const size_t k = at + v * COUNT;

		if (n <= k)
			break;
#pragma GCC unroll 4
		for (size_t r = 0; r < ROWS; r++)
			sums[r][v] = multiply_add(load(a + r * lda, k, n - k), load(x, k, n - k), sums[r][v]);
	}
#pragma GCC unroll 4
	for (int r = 0; r < ROWS; r++)
#pragma GCC unroll 4
		for (size_t v = 0; v < HELD; v++)
			lanes[r][first + v] = sums[r][v];
}

/* dot of each of ROWS rows and x, for n of at most block_of(DOT). A sum of few elements is never -0, as in dot. */
ISK_INLINE void dots(lane sums[ROWS], const elem *a, size_t lda, const elem *x, size_t n)
{
	vec lanes[ROWS][LANES / COUNT];

	for (size_t first = 0; first < LANES; first += HELD * COUNT)
		held_lanes(lanes, a, lda, x, first, n);
#pragma GCC unroll 4
	for (int r = 0; r < ROWS; r++) {
		line s;

#pragma GCC unroll 4
		for (size_t v = 0; v < VECTORS; v++)
			s.v[v] = (lanes[r][v] + lanes[r][2 * VECTORS + v]) + (lanes[r][VECTORS + v] + lanes[r][3 * VECTORS + v]);
		sums[r] = add_lanes(s) + (is_few(n, DOT) ? 0 : -(lane)0);
	}
}

/* y = scaled + beta * y */
ISK_INLINE void finish(elem *y, lane scaled, lane beta)
{
	store(y, 0, beta == 0 ? splat(scaled) : multiply_add(splat(beta), load(y, 0, 1), splat(scaled)), 1);
}

void KERNEL(gemv)(elem *y, const elem *a, const elem *x, size_t rows, size_t cols, size_t lda, lane alpha, lane beta)
{
	size_t i = 0;

	for (; ARE_TOGETHER && alpha != 0 && cols <= block_of(DOT) && rows - i >= ROWS; i += ROWS, a += ROWS * lda) {
		lane sums[ROWS];

		dots(sums, a, lda, x, cols);
#pragma GCC unroll 1
		for (size_t r = 0; r < ROWS; r++)
			finish(y + i + r, alpha * sums[r], beta);
	}
	for (; i < rows; i++, a += lda)
		finish(y + i, alpha == 0 ? 0 : alpha * KERNEL(dot)(a, x, cols), beta);
}

/*
 * Columns whose sums stay in the first-level cache. Whole rows of a are read, not tiles of it, because the CPU prefetches
 * rows: .53 of the time of matmul by tiles for 1000 x 1000 from memory, .77 to .94 from a cache (Zen 4, doubles).
 */
enum { CHUNK = 8192 / sizeof(elem) };

/* To n sums, each of TOGETHER rows times alpha and its element of x, one after the other. */
ISK_INLINE void add_together(elem *sums, const elem *a, size_t lda, const elem *x, size_t n, lane alpha)
{
	const size_t j = add_rows(sums, a, lda, x, n, alpha, TOGETHER);

	if (j < n) {
		vec s = load(sums, j, n - j);

#pragma GCC unroll 1
		for (size_t r = 0; r < TOGETHER; r++)
			s = multiply_add(load(a + r * lda, j, n - j), splat(alpha * x[r]), s);
		store(sums, j, s, n - j);
	}
}

/* Without fused multiply-add, axpy has other bits, so that there as many rows are added together as in symv.c. */
void KERNEL(axpy_rows)(elem *y, const elem *a, const elem *x, size_t rows, size_t cols, size_t lda, lane alpha)
{
	for (size_t at = 0, n; at < cols; at += n) {
		size_t i = 0;

		n = cols - at < CHUNK ? cols - at : CHUNK;
		for (; rows - i >= TOGETHER; i += TOGETHER)
			add_together(y + at, a + i * lda + at, lda, x + i, n, alpha);
		for (; i < rows; i++)
			KERNEL(axpy)(y + at, a + i * lda + at, n, alpha * x[i]);
	}
}

void KERNEL(gemv_t)(elem *y, const elem *a, const elem *x, size_t rows, size_t cols, size_t lda, lane alpha, lane beta)
{
	for (size_t at = 0, n; at < cols; at += n) {
		elem sums[CHUNK] __attribute__((aligned(64)));

		n = cols - at < CHUNK ? cols - at : CHUNK;
		for (size_t j = 0; j < n; j += COUNT)
			store(sums, j, splat(0), COUNT);
		if (alpha != 0)
			KERNEL(axpy_rows)(sums, a + at, x, rows, n, lda, 1);
		for (size_t j = 0; j < n; j += COUNT) {
			const vec scaled = splat(alpha) * load(sums, j, COUNT);

			store(y, at + j, beta == 0 ? scaled : multiply_add(splat(beta), load(y, at + j, n - j), scaled), n - j);
		}
	}
}

void KERNEL(ger)(elem *a, const elem *x, const elem *y, size_t rows, size_t cols, size_t lda, lane alpha)
{
	for (size_t i = 0; cols && i < rows; i++, a += lda)
		KERNEL(axpy)(a, y, cols, alpha * x[i]);
}
