/* SPDX-License-Identifier: MIT */
/*
 * A matrix by few columns. Vectors of columns would have few lanes in use, so here lanes
 * are rows: VL by VL squares of A are transposed in registers, and each column of a square
 * is multiplied by the elements of B for its k. The chains of additions are those of
 * multiply.h. On Zen 4 a square of AVX-512 takes 65 cycles with one column and 100 with four;
 * the 256 FMAs of eight lanes that a tile needs instead take at least 128. With seven columns
 * and more, tiles win unless k is deep, because a square uses up sixteen elements of a row
 * while their cache line is in the cache.
 */
#include "multiply.h"
#include "thresholds.h"
#include "transpose_tile.h"

column_fn ISK_FN(few_columns);

/* Rows of A that share a copy of B. */
#define ROWS (COLUMNS_SQUARES * VL)

/* Adds a VL by VL square of A to the sums of its rows; y has n elements of B for each column of the square. */
ISK_INLINE void add_square(vf acc[FEW], const float *a, size_t lda, const float *y, const size_t n)
{
	vi squares[LANES][SQUARE_MOST];

	squares_read(squares, a, 4 * lda, VL, 4 * VL, 4);
#pragma GCC unroll 4
	for (size_t l = 0; l < LANES; l++) {
		squares_turn(squares[l], 4);
#pragma GCC unroll 4
		for (size_t i = 0; i < 4; i++)
#pragma GCC unroll 8
			for (size_t j = 0; j < n; j++)
				acc[j] = vf_fma((vf)squares[l][i], vf_set1(y[(l * 4 + i) * n + j]), acc[j]);
	}
}

/* Adds `deep` of k to the sums of `count` times VL rows of A, which begin `distance` elements apart. */
ISK_INLINE void add_rows(float *sums, const float *a, ptrdiff_t distance, size_t lda, size_t deep, const float *y,
                         const size_t n, const size_t count)
{
	float x[VL * VL] __attribute__((aligned(64)));
	vf acc[2][FEW];

#pragma GCC unroll 2
	for (size_t r = 0; r < count; r++)
#pragma GCC unroll 8
		for (size_t j = 0; j < n; j++)
			acc[r][j] = vf_load(sums + r * VL + j * ROWS);
	for (; deep >= VL; deep -= VL, a += VL, y += VL * n)
#pragma GCC unroll 2
		for (size_t r = 0; r < count; r++)
			add_square(acc[r], a + (ptrdiff_t)r * distance, lda, y, n);
#pragma GCC unroll 2
	for (size_t r = 0; r < count; r++) {
		if (deep)
			squares_transpose(x, 4 * VL, a + (ptrdiff_t)r * distance, 4 * lda, VL, deep, 4);
		for (size_t i = 0; i < deep; i++)
#pragma GCC unroll 8
			for (size_t j = 0; j < n; j++)
				acc[r][j] = vf_fma(vf_load(x + i * VL), vf_set1(y[i * n + j]), acc[r][j]);
#pragma GCC unroll 8
		for (size_t j = 0; j < n; j++)
			vf_store(sums + r * VL + j * ROWS, acc[r][j]);
	}
}

/*
 * The sums of rows by n columns. The last square overlaps the one before it, or the rows before a, so that it is
 * whole; some rows are multiplied twice.
 */
ISK_INLINE void sum_rows(float *sums, const float *a, size_t lda, size_t rows, const float *b, size_t ldb,
                         size_t step, size_t k, const size_t n)
{
	/*
	 * Two squares at once, because the one chain of VL FMAs of a square takes at least as long as its transposition.
	 * More rows would collide in the cache.
	 */
	const size_t abreast = n == 1 && VL <= 8 ? 2 : 1;
	float copy[COLUMNS_DEPTH * FEW];

	for (size_t i = 0; i < n * ROWS; i += VL)
		vf_store(sums + i, vf_set1(0));
	for (size_t at = 0; at < k; at += COLUMNS_DEPTH, a += COLUMNS_DEPTH, b += COLUMNS_DEPTH * ldb) {
		const size_t deep = k - at < COLUMNS_DEPTH ? k - at : COLUMNS_DEPTH;
		const int dense = ldb == n;

		for (size_t d = 0; d < deep && !dense; d++)
			for (size_t j = 0; j < n; j++)
				copy[d * n + j] = b[d * ldb + j * step];
		for (size_t i = 0; i < rows; i += abreast * VL) {
			const float *const last = a + rows * lda - VL * lda;
			const float *const from = rows - i < VL ? last : a + i * lda;

			add_rows(sums + i, from, rows - i < 2 * VL ? last - from : (ptrdiff_t)(VL * lda), lda, deep,
			         dense ? b : copy, n, abreast);
		}
	}
}

#define COLUMNS(n)                                                             \
	case n:                                                                    \
		sum_rows(sums, a, p->lda, rows, b, ldb, step, p->k, n);                \
		break;

void ISK_FN(few_columns)(const struct product *p, const float *b, size_t ldb, size_t step)
{
	const int plain = post_is_plain(p->post);
	const size_t n = p->n;
	float *c = p->c;
	float sums[FEW * ROWS], t[ROWS * VL];

	for (size_t row = 0; row < p->m; row += ROWS) {
		const size_t rows = p->m - row < ROWS ? p->m - row : ROWS;
		const float *a = (const float *)p->a + row * p->lda;
		const struct epilogue e = {p->c, p->ldc, t, VL, row, 0, rows, n, p->post};

		switch (n) {
			COLUMNS(1)
			COLUMNS(2)
#if VL > 4
			COLUMNS(3)
			COLUMNS(4)
			COLUMNS(5)
			COLUMNS(6)
#endif
#if VL > 8
			COLUMNS(7)
			COLUMNS(8)
#endif
		}
		for (size_t i = 0; i < rows; i++) {
			const size_t last = (rows - 1) / VL * VL, from = i < last ? i : i + VL - (rows - last);
			float *to = plain ? c + (row + i) * p->ldc : t + i * VL;

			if (!plain)
				vf_store(to, vf_set1(0));
			for (size_t j = 0; j < n; j++)
				to[j] = sums[j * ROWS + from];
		}
		if (!plain)
			p->epilogue(&e);
	}
}
