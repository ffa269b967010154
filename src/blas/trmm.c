/* SPDX-License-Identifier: MIT */
/*
 * B = alpha * op(A) * B or alpha * B * op(A), and the X of op(A) * X = alpha * B or X * op(A) = alpha * B, in place of B,
 * for a triangular A. The vectors below are the rows of B if A is on the left, and its columns if A is on the right. A
 * vector is computed from itself and from those on one side of it: in its block of BLOCK vectors one by one, and from all
 * others by one product for the block. BLOCK is part of the order that README.md states, so it may not change.
 */
#include "product.h"
#include "vector.h"

enum {
	BLOCK = 64,
	CHUNK = 64, /* elements of the vectors of a block on which it works at a time, so that they stay in the first cache */
};

struct triangular {
	struct operand a;
	int right, unit, solve;
	int below; /* whether a vector depends on those of lower number */
	int64_t count, length;
	elem alpha;
	elem *b;
	int64_t ldb;
};

/* The vectors of a block, `length` elements of each: vector i lies at v + (i - first) * ld. */
struct block {
	int64_t first, count, length;
	elem *v;
	int64_t ld;
};

/* To the vectors of a block, those beyond it on which it depends, times op(A) and alpha. */
static void add_far(const struct triangular *t, int64_t first, int64_t count, elem alpha)
{
	const int64_t from = t->below ? 0 : first + count, many = t->below ? first : t->count - from;
	const int64_t step = t->right ? t->ldb : 1;
	const struct operand others = {t->b + from * step, t->ldb, 0};

	if (many < 1)
		return;
	if (t->right)
		CORE(product)(t->b + first * step, t->ldb, others, part_of(t->a, from, first), t->length, count, many, alpha, 1);
	else
		CORE(product)(t->b + first * step, t->ldb, part_of(t->a, first, from), others, count, t->length, many, alpha, 1);
}

/* To vector i of a block, those of the block on which it depends. */
static void add_neighbours(const struct triangular *t, const struct block *b, int64_t i, elem alpha)
{
	const int64_t from = t->below ? b->first : i + 1, many = t->below ? i - b->first : b->first + b->count - from;
	const struct operand a = t->right ? part_of(t->a, from, i) : part_of(t->a, i, from);
	const int64_t apart = !t->right == !(t->a.trans & TRANSPOSED) ? a.ld : 1;
	struct copy copy;

	CORE(gemv)(0, b->length, many, alpha, b->v + (from - b->first) * b->ld, b->ld,
	           CORE(gather)(&copy, a.a, many, apart, a.trans & CONJUGATED), 1, 1, b->v + (i - b->first) * b->ld, 1);
	CORE(drop)(&copy);
}

/* Vectors on which others depend are computed after them, so that B needs no copy. */
static void multiply_block(const struct triangular *t, const struct block *b)
{
	for (int64_t step = 0; step < b->count; step++) {
		const int64_t i = b->first + (t->below ? b->count - 1 - step : step);
		const elem factor = t->unit ? t->alpha : mul(t->alpha, element_of(t->a, i, i));

		if (factor != 1)
			CORE(scal)(b->length, factor, b->v + (i - b->first) * b->ld, 1);
		add_neighbours(t, b, i, t->alpha);
	}
}

static void solve_block(const struct triangular *t, const struct block *b)
{
	for (int64_t step = 0; step < b->count; step++) {
		const int64_t i = b->first + (t->below ? step : b->count - 1 - step);
		const elem by = t->unit ? 1 : element_of(t->a, i, i);
		elem *x = b->v + (i - b->first) * b->ld;

		add_neighbours(t, b, i, -1);
		for (int64_t j = 0; j < b->length && !t->unit; j++)
			x[j] = divide(x[j], by);
	}
}

/* A chunk of the vectors of a block: columns where they are, rows in a copy, in which they lie as columns do. */
static void in_chunks(const struct triangular *t, int64_t first, int64_t count)
{
	elem turned[BLOCK * CHUNK];

	for (int64_t at = 0; at < t->length; at += CHUNK) {
		const int64_t length = lesser(t->length - at, CHUNK);
		elem *rows = t->b + at * t->ldb + first;
		struct block b = {first, count, length, t->b + first * t->ldb + at, t->ldb};

		if (!t->right) {
			b.v = turned;
			b.ld = CHUNK;
			CORE(transpose)(turned, rows, count, length, CHUNK, t->ldb);
		}
		(t->solve ? solve_block : multiply_block)(t, &b);
		if (!t->right)
			CORE(transpose)(rows, turned, length, count, t->ldb, CHUNK);
	}
}

/* The blocks in the order in which none needs one that has been overwritten, or that has not been solved. */
static void by_blocks(const struct triangular *t)
{
	const int64_t blocks = (t->count + BLOCK - 1) / BLOCK;

	for (int64_t i = 0; i < blocks; i++) {
		const int64_t first = BLOCK * (t->below == t->solve ? i : blocks - 1 - i), count = lesser(BLOCK, t->count - first);

		if (t->solve)
			add_far(t, first, count, -1);
		in_chunks(t, first, count);
		if (!t->solve)
			add_far(t, first, count, t->alpha);
	}
}

/* An alpha of 0 writes zeros and reads nothing. */
static void work_on(const struct triangular *t)
{
	const int64_t m = t->right ? t->length : t->count, n = t->right ? t->count : t->length;

	for (int64_t j = 0; j < n && (t->solve || t->alpha == 0); j++)
		CORE(times)(t->b + j * t->ldb, m, t->alpha);
	if (t->alpha != 0)
		by_blocks(t);
}

void CORE(trmm)(int side, int uplo, int transa, int diag, int64_t m, int64_t n, elem alpha, const elem *a, int64_t lda,
                elem *b, int64_t ldb)
{
	const int lower = uplo ^ (transa & TRANSPOSED);

	work_on(&(const struct triangular){.a = {a, lda, transa}, .right = side, .unit = diag, .below = lower ^ side,
	                                   .count = side ? n : m, .length = side ? m : n, .alpha = alpha, .b = b, .ldb = ldb});
}

void CORE(trsm)(int side, int uplo, int transa, int diag, int64_t m, int64_t n, elem alpha, const elem *a, int64_t lda,
                elem *b, int64_t ldb)
{
	const int lower = uplo ^ (transa & TRANSPOSED);

	work_on(&(const struct triangular){.a = {a, lda, transa}, .right = side, .unit = diag, .solve = 1, .below = lower ^ side,
	                                   .count = side ? n : m, .length = side ? m : n, .alpha = alpha, .b = b, .ldb = ldb});
}
