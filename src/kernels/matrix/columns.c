/* SPDX-License-Identifier: MIT */
/*
 * Products with few columns. Vectors of columns would be mostly empty, so here
 * lanes are rows: VL by VL squares of A are transposed on their way, and each of
 * their columns meets one element of B a column of C. The chains of additions are
 * those of multiply.h.
 *
 * A square costs 2 * VL shuffles (log2(VL) * VL of them, but for those that loads
 * do) and VL FMAs a column; GROUPS squares side by side keep enough chains going
 * for the cycles an FMA takes. Up to seven columns that is faster than vectors of
 * columns at every ISA, and from memory it is as fast as A can be read.
 */
#include "multiply.h"
#include "squares.h"

columns_fn ISK_FN(few_columns);

/* Chains of VL lanes: registers hold them beside an element of B and those of A. */
#define GROUPS(n) ((n) <= 3 ? 4 : 2)

/* Elements of B that are copied, one line a column of A, so that they stay in the first-level cache. */
#define COPIED 4096

/* rows of A by deep columns, turned; what is missing is 0. */
ISK_INLINE void turn(float *to, const float *a, size_t lda, size_t rows, size_t deep)
{
	vi squares[LANES][SQUARE_MOST];

	if (rows >= VL && deep >= VL)
		squares_read_whole(squares, a, 4 * lda, 4);
	else
		squares_read(squares, a, 4 * lda, rows, 4 * deep, 4);
	squares_write(to, 4 * VL, squares, VL, VL, 4);
}

/* The n sums of up to GROUPS * VL rows of A, those of a column side by side. */
ISK_INLINE void sum_rows(float *to, const float *a, size_t lda, size_t rows, const float *b, size_t ldb, size_t k,
                         const int n)
{
	const int groups = GROUPS(n);
	float x[4 * VL * VL] __attribute__((aligned(64)));
	vf acc[4][FEW_COLUMNS];

#pragma GCC unroll 4
	for (int g = 0; g < groups; g++)
#pragma GCC unroll 8
		for (int j = 0; j < n; j++)
			acc[g][j] = vf_set1(0);
	for (size_t at = 0; at < k; at += VL) {
		const size_t deep = k - at < VL ? k - at : VL;

#pragma GCC unroll 4
		for (size_t g = 0; g < (size_t)groups; g++)
			if (rows > g * VL)
				turn(x + g * VL * VL, a + g * VL * lda + at, lda, rows - g * VL, deep);
		for (size_t i = 0; i < deep; i++, b += ldb) {
			vf v[4];

#pragma GCC unroll 4
			for (int g = 0; g < groups; g++)
				v[g] = vf_load(x + (size_t)g * VL * VL + i * VL);
#pragma GCC unroll 8
			for (int j = 0; j < n; j++) {
				const vf y = vf_set1(b[j]);

#pragma GCC unroll 4
				for (int g = 0; g < groups; g++)
					acc[g][j] = vf_fma(v[g], y, acc[g][j]);
			}
		}
	}
#pragma GCC unroll 8
	for (int j = 0; j < n; j++)
#pragma GCC unroll 4
		for (int g = 0; g < groups; g++)
			vf_store(to + (j * groups + g) * VL, acc[g][j]);
}

#define CASE(n)                                                                \
	case n:                                                                    \
		sum_rows(sums, a, p->lda, rows, b, ldb, p->k, n);                      \
		break;

void ISK_FN(few_columns)(const struct product *p, const float *b, size_t ldb)
{
	const size_t n = p->n, most = GROUPS(n) * VL;
	const int plain = post_is_plain(p->post);
	float copy[COPIED], sums[4 * VL * FEW_COLUMNS] __attribute__((aligned(64))), t[4 * VL * PANEL];

	if (p->k * n <= COPIED && ldb > n && p->m > most) {
		for (size_t i = 0; i < p->k; i++)
			for (size_t j = 0; j < n; j++)
				copy[i * n + j] = b[i * ldb + j];
		b = copy;
		ldb = n;
	}
	for (size_t row = 0; row < p->m; row += most) {
		const size_t rows = p->m - row < most ? p->m - row : most;
		const float *a = (const float *)p->a + row * p->lda;
		const struct epilogue e = {p->c, p->ldc, t, PANEL, row, 0, rows, n, p->post};

		switch (n) {
			CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
		}
		if (plain) {
			squares_transpose((float *)p->c + row * p->ldc, 4 * p->ldc, sums, 4 * most, n, rows, 4);
			continue;
		}
		squares_transpose(t, 4 * PANEL, sums, 4 * most, n, rows, 4);
		p->epilogue(&e);
	}
}
