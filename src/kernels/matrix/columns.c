/* SPDX-License-Identifier: MIT */
/*
 * A matrix by a column. Vectors of columns would be empty but for one lane, so here
 * lanes are rows: VL by VL squares of A are transposed on their way, and each of
 * their columns meets an element of b. The chains of additions are those of
 * multiply.h; SQUARES side by side are enough of them for the cycles an FMA takes.
 * From two columns on the tiles of matmul.c are as fast or faster (Zen 3).
 */
#include "multiply.h"
#include "squares.h"

column_fn ISK_FN(one_column);

#define SQUARES 4

/* Elements of b that are copied, side by side, so that they stay in the first-level cache. */
#define COPIED 4096

/* The sums of up to SQUARES * VL rows. */
static void sum_rows(float *to, const float *a, size_t lda, size_t rows, const float *b, size_t ldb, size_t k)
{
	float x[SQUARES * VL * VL] __attribute__((aligned(64)));
	vf acc[SQUARES];

#pragma GCC unroll 4
	for (int s = 0; s < SQUARES; s++)
		acc[s] = vf_set1(0);
	for (size_t at = 0; at < k; at += VL) {
		const size_t deep = k - at < VL ? k - at : VL;

#pragma GCC unroll 4
		for (size_t s = 0; s < SQUARES; s++)
			if (rows > s * VL) {
				vi squares[LANES][SQUARE_MOST];

				if (rows - s * VL >= VL && deep == VL)
					squares_read(squares, a + s * VL * lda + at, 4 * lda, VL, 4 * VL, 4);
				else
					squares_read(squares, a + s * VL * lda + at, 4 * lda, rows - s * VL, 4 * deep, 4);
				squares_write(x + s * VL * VL, 4 * VL, squares, VL, VL, 4);
			}
		for (size_t i = 0; i < deep; i++, b += ldb)
#pragma GCC unroll 4
			for (size_t s = 0; s < SQUARES; s++)
				acc[s] = vf_fma(vf_load(x + s * VL * VL + i * VL), vf_set1(*b), acc[s]);
	}
#pragma GCC unroll 4
	for (int s = 0; s < SQUARES; s++)
		vf_store(to + s * VL, acc[s]);
}

void ISK_FN(one_column)(const struct product *p, const float *b, size_t ldb)
{
	const size_t most = SQUARES * VL;
	const int plain = post_is_plain(p->post);
	float *c = p->c;
	float copy[COPIED], sums[SQUARES * VL], t[SQUARES * VL * VL];

	if (p->k <= COPIED && ldb > 1 && p->m > most) {
		for (size_t i = 0; i < p->k; i++)
			copy[i] = b[i * ldb];
		b = copy;
		ldb = 1;
	}
	for (size_t row = 0; row < p->m; row += most) {
		const size_t rows = p->m - row < most ? p->m - row : most;
		const struct epilogue e = {p->c, p->ldc, t, VL, row, 0, rows, 1, p->post};

		sum_rows(sums, (const float *)p->a + row * p->lda, p->lda, rows, b, ldb, p->k);
		for (size_t i = 0; i < rows; i++)
			if (plain)
				c[(row + i) * p->ldc] = sums[i];
			else
				vf_store(t + i * VL, vf_set1(sums[i]));
		if (!plain)
			p->epilogue(&e);
	}
}
