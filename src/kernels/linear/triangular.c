/* SPDX-License-Identifier: MIT */
/*
 * B = alpha * op(A) * B or alpha * B * op(A), and the X of op(A) * X = alpha * B or X * op(A) = alpha * B, in place of B,
 * for a triangular A. A row of B is computed from itself and from those on one side of it: in its block of BLOCK rows one by
 * one, and from all others by one product for the block. If A is on the right, this is true of columns, and a block is
 * turned, some of its rows at a time, so that its columns lie as rows. BLOCK is part of the order that linear.md states, so it
 * may not change.
 */
#include "triangular_kernels.h"
#include "of_type.h"
#include "isakern/matrix_types.h"
#include "part.h"

ISK_EXTERN int KERNEL(matmul)(elem *c, const elem *a, const elem *b, size_t m, size_t n, size_t k, size_t ldc, size_t lda,
                              size_t ldb, unsigned transposed, const struct isk_post *post);
ISK_EXTERN void KERNEL(scale)(elem *y, const elem *x, size_t n, lane alpha);
ISK_EXTERN void ISK_FN(transpose_b32)(void *y, const void *x, size_t rows, size_t cols, size_t ldy, size_t ldx);
ISK_EXTERN void ISK_FN(transpose_b64)(void *y, const void *x, size_t rows, size_t cols, size_t ldy, size_t ldx);

enum {
	BLOCK = 64,
	TURNED = 64, /* elements of a column of B that are turned at a time, */
	CHUNK = 256, /* and those of a row that are computed at a time, so that the rows of a block stay in the first caches */
};

/* The arguments, and a view of them as a product or an equation with A on the left: its rows are rows or columns of B. */
struct triangular {
	elem *b;
	const elem *a;
	size_t rows, length; /* of B as it is viewed */
	size_t ldb;
	size_t row_step, step; /* from one row of op(A) as it is viewed to the next, and from one element of a row to the next */
	int right, unit, solve;
	int below; /* whether a row depends on those of lower number */
	lane alpha;
};

ISK_INLINE size_t lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

ISK_INLINE void turn(elem *y, const elem *x, size_t rows, size_t cols, size_t ldy, size_t ldx)
{
	(TYPE == ISK_F64 ? ISK_FN(transpose_b64) : ISK_FN(transpose_b32))(y, x, rows, cols, ldy, ldx);
}

/* C = C + alpha * A * B. */
ISK_INLINE void add_product(elem *c, const elem *a, const elem *b, size_t m, size_t n, size_t k, size_t ldc, size_t lda,
                            size_t ldb, unsigned transposed, lane alpha)
{
	const struct isk_post post = {.size = sizeof(post), .scale = &alpha, .scales = alpha != 1, .other = c, .ldother = ldc,
	                              .binary = ISK_BINARY_AXPY, .other_scale = 1};

	if (k)
		KERNEL(matmul)(c, a, b, m, n, k, ldc, lda, ldb, transposed, &post);
}

/* To `count` rows from `first` on, those outside their block on which they depend, times op(A) and alpha. */
static void add_far(const struct triangular *t, size_t first, size_t count, lane alpha)
{
	const size_t from = t->below ? 0 : first + count, many = t->below ? first : t->rows - from;
	const elem *a = t->a + first * t->row_step + from * t->step;

	if (t->right)
		add_product(t->b + first, t->b + from, a, t->length, count, many, t->ldb, t->ldb, t->row_step == 1 ? t->step : t->row_step,
		            t->row_step == 1 ? 0 : ISK_TRANSPOSED_B, alpha);
	else
		add_product(t->b + first * t->ldb, a, t->b + from * t->ldb, count, t->length, many, t->ldb,
		            t->step == 1 ? t->row_step : t->step, t->ldb, t->step == 1 ? 0 : ISK_TRANSPOSED_A, alpha);
}

/* `length` elements of each row of a block, which lie ld elements apart. */
struct block {
	elem *rows;
	size_t first, count, length, ld;
};

/* To some vectors of a row, alpha times the sum of the products of `many` factors and rows. */
ISK_INLINE void add_rows(elem *row, const elem *rows, size_t ld, const elem *factors, size_t factor_step, size_t many, size_t n,
                         lane alpha, const size_t vectors)
{
	vec sums[4];

#pragma GCC unroll 4
	for (size_t v = 0; v < vectors; v++)
		sums[v] = splat(0);
	for (size_t j = 0; j < many; j++, rows += ld, factors += factor_step)
#pragma GCC unroll 4
		for (size_t v = 0; v < vectors; v++)
			sums[v] = multiply_add(splat(*factors), load(rows, v * COUNT, n), sums[v]);
#pragma GCC unroll 4
	for (size_t v = 0; v < vectors; v++)
		store(row, v * COUNT, load(row, v * COUNT, n) + splat(alpha) * sums[v], n);
}

/* To row i of a block, those of the block on which it depends. */
ISK_INLINE void add_neighbours(const struct triangular *t, const struct block *b, size_t i, lane alpha)
{
	const size_t from = t->below ? 0 : i + 1, many = t->below ? i : b->count - from;
	const elem *factors = t->a + (b->first + i) * t->row_step + (b->first + from) * t->step, *rows = b->rows + from * b->ld;
	elem *row = b->rows + i * b->ld;
	size_t j = 0;

	for (; many && b->length - j >= 4 * COUNT; j += 4 * COUNT)
		add_rows(row + j, rows + j, b->ld, factors, t->step, many, COUNT, alpha, 4);
	for (; many && j < b->length; j += COUNT)
		add_rows(row + j, rows + j, b->ld, factors, t->step, many, b->length - j, alpha, 1);
}

/* Rows on which others depend are multiplied after them, so that B needs no copy, but solved before them. */
static void in_block(const struct triangular *t, const struct block *b)
{
	for (size_t step = 0; step < b->count; step++) {
		const size_t i = t->below == t->solve ? step : b->count - 1 - step, at = b->first + i;
		const lane diagonal = t->unit ? 1 : t->a[at * (t->row_step + t->step)];
		elem *row = b->rows + i * b->ld;

		if (!t->solve)
			KERNEL(scale)(row, row, b->length, t->unit ? t->alpha : t->alpha * diagonal);
		add_neighbours(t, b, i, t->solve ? -1 : t->alpha);
		for (size_t j = 0; j < b->length && t->solve && !t->unit; j += COUNT)
			store(row, j, load(row, j, b->length - j) / splat(diagonal), b->length - j);
	}
}

/* A block of columns of B, in turned copies of parts of it. */
static __attribute__((noinline)) void in_columns(const struct triangular *t, size_t first, size_t count)
{
	elem turned[BLOCK * TURNED];

	for (size_t at = 0; at < t->length; at += TURNED) {
		const struct block b = {turned, first, count, lesser(t->length - at, TURNED), TURNED};
		elem *here = t->b + at * t->ldb + first;

		turn(turned, here, b.length, count, TURNED, t->ldb);
		in_block(t, &b);
		turn(here, turned, count, b.length, t->ldb, TURNED);
	}
}

static void in_rows(const struct triangular *t, size_t first, size_t count)
{
	for (size_t at = 0; at < t->length; at += CHUNK)
		in_block(t, &(struct block){t->b + first * t->ldb + at, first, count, lesser(t->length - at, CHUNK), t->ldb});
}

/* The blocks in the order in which none needs one that has been overwritten, or that has not been solved. */
static void by_blocks(const struct triangular *t)
{
	const size_t blocks = (t->rows + BLOCK - 1) / BLOCK;

	for (size_t i = 0; i < blocks; i++) {
		const size_t first = BLOCK * (t->below == t->solve ? i : blocks - 1 - i), count = lesser(BLOCK, t->rows - first);

		if (t->solve)
			add_far(t, first, count, -1);
		if (t->right)
			in_columns(t, first, count);
		else
			in_rows(t, first, count);
		if (!t->solve)
			add_far(t, first, count, t->alpha);
	}
}

/* B is m by n. An alpha of 0 writes zeros and reads nothing. */
static int work(elem *b, const elem *a, size_t m, size_t n, size_t ldb, size_t lda, unsigned lower, unsigned transposed,
                unsigned unit, lane alpha, int right, int solve)
{
	/* On the right, A is viewed transposed. */
	const int turned = (transposed != 0) != right;
	const struct triangular t = {b, a, right ? n : m, right ? m : n, ldb, turned ? 1 : lda, turned ? lda : 1, right, unit != 0,
	                             solve, (lower != 0) != turned, alpha};

	if (lower > 1 || transposed > 1 || unit > 1)
		return ISK_ERR_SHAPE;
	if (lda < t.rows || ldb < n)
		return ISK_ERR_STRIDE;
	for (size_t i = 0; i < m && n && (alpha == 0 || (solve && alpha != 1)); i++)
		if (alpha == 0)
			__builtin_memset(b + i * ldb, 0, n * sizeof(elem));
		else
			KERNEL(scale)(b + i * ldb, b + i * ldb, n, alpha);
	if (m && n && alpha != 0)
		by_blocks(&t);
	return ISK_OK;
}

#define TRIANGULAR(op, right, solve)                                           \
	int KERNEL(op)(elem *b, const elem *a, size_t m, size_t n, size_t ldb, size_t lda, unsigned lower, unsigned transposed, \
	               unsigned unit, lane alpha)                                  \
	{                                                                          \
		return work(b, a, m, n, ldb, lda, lower, transposed, unit, alpha, right, solve); \
	}
TRIANGULAR(trmm, 0, 0)
TRIANGULAR(trmm_right, 1, 0)
TRIANGULAR(trsm, 0, 1)
TRIANGULAR(trsm_right, 1, 1)
