/* SPDX-License-Identifier: MIT */
/*
 * B = alpha * op(A) * B or alpha * B * op(A), and the X of op(A) * X = alpha * B or X * op(A) = alpha * B, in place of B,
 * for a triangular A. If A is on the right, the transposes are computed, in a copy of some rows of B at a time. A row of B
 * is computed from itself and from those on one side of it: in its block of BLOCK rows one by one, and from all others by
 * one product for the block. BLOCK is part of the order that README.md states, so it may not change.
 */
#include "product.h"
#include "threads.h"
#include "vector.h"
#include "room.h"
#include "xerbla.h"

enum {
	BLOCK = 64,
	CHUNK = 64,   /* columns of a block that are computed at a time, so that they stay in the first cache */
	TURNED = 256, /* rows of B that are copied at a time if A is on the right */
};

struct triangular {
	struct operand a;
	int unit, solve;
	int below; /* whether a row depends on those of lower number */
	int64_t rows, columns; /* of B */
	elem alpha;
	elem *b;
	int64_t ldb;
};

/* A block of rows, `length` elements of each: row i lies at v + (i - first) * CHUNK. */
struct block {
	int64_t first, count, length;
	elem *v;
};

static elem *row_of(const struct block *b, int64_t i)
{
	return b->v + (i - b->first) * CHUNK;
}

/* To the rows of a block, those beyond it on which it depends, times op(A) and alpha. */
static void add_far(const struct triangular *t, int64_t first, int64_t count, elem alpha)
{
	const int64_t from = t->below ? 0 : first + count, many = t->below ? first : t->rows - from;
	const struct operand others = {t->b + from, t->ldb, 0};

	if (many > 0)
		CORE(product)(whole_of(t->b + first, t->ldb), part_of(t->a, first, from), others, count, t->columns, many, alpha, 1);
}

/* To row i of a block, those of the block on which it depends. */
static void add_neighbours(const struct triangular *t, const struct block *b, int64_t i, elem alpha)
{
	const int64_t from = t->below ? b->first : i + 1, many = t->below ? i - b->first : b->first + b->count - from;
	const int64_t apart = t->a.trans & TRANSPOSED ? 1 : t->a.ld;
	struct copy copy;

	CORE(gemv)(0, b->length, many, alpha, row_of(b, from), CHUNK,
	           CORE(gather)(&copy, part_of(t->a, i, from).a, many, apart, t->a.trans & CONJUGATED), 1, 1, row_of(b, i), 1);
	CORE(drop)(&copy);
}

/* Rows on which others depend are computed after them, so that B needs no copy. */
static void multiply_block(const struct triangular *t, const struct block *b)
{
	for (int64_t step = 0; step < b->count; step++) {
		const int64_t i = b->first + (t->below ? b->count - 1 - step : step);
		const elem factor = t->unit ? t->alpha : mul(t->alpha, element_of(t->a, i, i));

		if (factor != 1)
			CORE(scal)(b->length, factor, row_of(b, i), 1);
		add_neighbours(t, b, i, t->alpha);
	}
}

static void solve_block(const struct triangular *t, const struct block *b)
{
	for (int64_t step = 0; step < b->count; step++) {
		const int64_t i = b->first + (t->below ? step : b->count - 1 - step);
		const elem by = t->unit ? 1 : element_of(t->a, i, i);
		elem *x = row_of(b, i);

		add_neighbours(t, b, i, -1);
		for (int64_t j = 0; j < b->length && !t->unit; j++)
			x[j] = divide(x[j], by);
	}
}

/* The rows of a block, CHUNK columns at a time, in a copy in which the elements of a row lie side by side. */
static void in_chunks(const struct triangular *t, int64_t first, int64_t count)
{
	elem turned[BLOCK * CHUNK];

	for (int64_t at = 0; at < t->columns; at += CHUNK) {
		const struct block b = {first, count, lesser(t->columns - at, CHUNK), turned};
		elem *here = t->b + at * t->ldb + first;

		CORE(transpose)(turned, here, count, b.length, CHUNK, t->ldb);
		(t->solve ? solve_block : multiply_block)(t, &b);
		CORE(transpose)(here, turned, b.length, count, t->ldb, CHUNK);
	}
}

/* The blocks in the order in which none needs one that has been overwritten, or that has not been solved. */
static void by_blocks(const struct triangular *t)
{
	const int64_t blocks = (t->rows + BLOCK - 1) / BLOCK;

	for (int64_t i = 0; i < blocks; i++) {
		const int64_t first = BLOCK * (t->below == t->solve ? i : blocks - 1 - i), count = lesser(BLOCK, t->rows - first);

		if (t->solve)
			add_far(t, first, count, -1);
		in_chunks(t, first, count);
		if (!t->solve)
			add_far(t, first, count, t->alpha);
	}
}

/* Some columns of B. They are computed independently of the others, so that each thread takes some. */
struct share {
	const struct triangular *t;
	int64_t columns;
};

static void on_the_left(const void *data, size_t number)
{
	const struct share *s = data;
	const int64_t first = (int64_t)number * s->columns;
	struct triangular part = *s->t;

	part.columns = lesser(part.columns - first, s->columns);
	part.b += first * part.ldb;
	by_blocks(&part);
}

/* A on the right: op(A)^T times the transpose of B, which is t's: columns of t are rows of B. */
static void on_the_right(const void *data, size_t number)
{
	const struct share *s = data;
	const int64_t first = (int64_t)number * s->columns;
	struct triangular part = *s->t;
	elem *rows = part.b + first, *turned;

	part.columns = lesser(part.columns - first, s->columns);
	turned = blas_take_room((size_t)(part.rows * part.columns) * sizeof(elem));
	if (!turned)
		blas_no_memory();
	CORE(transpose)(turned, rows, part.columns, part.rows, part.rows, part.ldb);
	part.b = turned;
	part.ldb = part.rows;
	by_blocks(&part);
	CORE(transpose)(rows, turned, part.rows, part.columns, s->t->ldb, part.rows);
	blas_give_room(turned);
}

/* For few columns, one share, whose products run on several threads. */
static void in_shares(const struct triangular *t, int right)
{
	const double steps = (double)t->rows * (double)t->rows * (double)t->columns / 2;
	const size_t threads = isk_threads_for(steps, ISK_STEPS_A_THREAD);
	const int64_t even = (int64_t)share((size_t)t->columns, CHUNK, 0, threads).count;
	const struct share s = {t, right ? lesser(even, TURNED) : even};
	const int64_t shares = (t->columns + s.columns - 1) / s.columns;

	isk_each((size_t)shares, (size_t)lesser((int64_t)threads, shares), right ? on_the_right : on_the_left, &s);
}

/* An alpha of 0 writes zeros and reads nothing. */
static void work(int solve, int side, int uplo, int transa, int diag, int64_t m, int64_t n, elem alpha, const elem *a,
                 int64_t lda, elem *b, int64_t ldb)
{
	const int trans = side ? transa ^ TRANSPOSED : transa;
	const struct triangular t = {
		.a = {a, lda, trans}, .unit = diag, .solve = solve, .below = uplo ^ (trans & TRANSPOSED),
		.rows = side ? n : m, .columns = side ? m : n, .alpha = alpha, .b = b, .ldb = ldb};

	for (int64_t j = 0; j < n && (solve || alpha == 0); j++)
		CORE(times)(b + j * ldb, m, alpha);
	if (m && n && alpha != 0)
		in_shares(&t, side);
}

void CORE(trmm)(int side, int uplo, int transa, int diag, int64_t m, int64_t n, elem alpha, const elem *a, int64_t lda,
                elem *b, int64_t ldb)
{
	work(0, side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb);
}

void CORE(trsm)(int side, int uplo, int transa, int diag, int64_t m, int64_t n, elem alpha, const elem *a, int64_t lda,
                elem *b, int64_t ldb)
{
	work(1, side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb);
}
