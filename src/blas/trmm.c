/* SPDX-License-Identifier: MIT */
/*
 * B = alpha * op(A) * B or alpha * B * op(A), and the X of op(A) * X = alpha * B or X * op(A) = alpha * B, in place of B,
 * for a triangular A. The vectors below are the rows of B if A is on the left, and its columns if A is on the right. A
 * vector is computed from itself and from those on one side of it: in its block of BLOCK vectors one by one, and from all
 * others by one product for the block. BLOCK is part of the order that README.md states, so it may not change.
 */
#include "product.h"

enum { BLOCK = 64 };

struct triangular {
	struct operand a;
	int right, unit;
	int below; /* whether a vector depends on those of lower number */
	int64_t count, length;
	elem *b;
	int64_t ldb;
};

static elem *vector_at(const struct triangular *t, int64_t i)
{
	return t->b + (t->right ? i * t->ldb : i);
}

static int64_t step_of(const struct triangular *t)
{
	return t->right ? 1 : t->ldb;
}

/* To n vectors from `to` on, alpha * op(A) times `many` vectors from `from` on is added. */
static void add_others(const struct triangular *t, int64_t to, int64_t n, int64_t from, int64_t many, elem alpha)
{
	const struct operand others = {vector_at(t, from), t->ldb, 0};

	if (many < 1)
		return;
	if (t->right)
		CORE(product)(vector_at(t, to), t->ldb, others, part_of(t->a, from, to), t->length, n, many, alpha, 1);
	else
		CORE(product)(vector_at(t, to), t->ldb, part_of(t->a, to, from), others, n, t->length, many, alpha, 1);
}

/* To vector i of the block [first, end), those of the block on which it depends. */
static void add_neighbours(const struct triangular *t, int64_t i, int64_t first, int64_t end, elem alpha)
{
	if (t->below)
		add_others(t, i, 1, first, i - first, alpha);
	else
		add_others(t, i, 1, i + 1, end - i - 1, alpha);
}

/* To the block [first, end), the vectors beyond it on which it depends. */
static void add_far(const struct triangular *t, int64_t first, int64_t end, elem alpha)
{
	if (t->below)
		add_others(t, first, end - first, 0, first, alpha);
	else
		add_others(t, first, end - first, end, t->count - end, alpha);
}

/* Vectors on which others depend are computed after them, so that B needs no copy. */
static void multiply_block(const struct triangular *t, int64_t first, int64_t end, elem alpha)
{
	for (int64_t step = 0; step < end - first; step++) {
		const int64_t i = t->below ? end - 1 - step : first + step;
		const elem factor = t->unit ? alpha : mul(alpha, element_of(t->a, i, i));

		if (factor != 1)
			CORE(scal)(t->length, factor, vector_at(t, i), step_of(t));
		add_neighbours(t, i, first, end, alpha);
	}
	add_far(t, first, end, alpha);
}

static void solve_block(const struct triangular *t, int64_t first, int64_t end)
{
	add_far(t, first, end, -1);
	for (int64_t step = 0; step < end - first; step++) {
		const int64_t i = t->below ? first + step : end - 1 - step, apart = step_of(t);
		elem *x = vector_at(t, i);

		add_neighbours(t, i, first, end, -1);
		if (t->unit)
			continue;
		for (int64_t j = 0; j < t->length; j++, x += apart)
			*x = divide(*x, element_of(t->a, i, i));
	}
}

static struct triangular triangular_of(int side, int uplo, int transa, int diag, int64_t m, int64_t n, const elem *a,
                                       int64_t lda, elem *b, int64_t ldb)
{
	const int lower = uplo ^ (transa & TRANSPOSED);

	return (struct triangular){.a = {a, lda, transa}, .right = side, .unit = diag, .below = lower ^ side,
	                           .count = side ? n : m, .length = side ? m : n, .b = b, .ldb = ldb};
}

/* Zeros for an alpha of 0; whether nothing is left to do. */
static int scaled_to_0(int64_t m, int64_t n, elem alpha, elem *b, int64_t ldb)
{
	for (int64_t j = 0; j < n && alpha == 0; j++)
		for (int64_t i = 0; i < m; i++)
			b[j * ldb + i] = 0;
	return !m || !n || alpha == 0;
}

void CORE(trmm)(int side, int uplo, int transa, int diag, int64_t m, int64_t n, elem alpha, const elem *a, int64_t lda,
                elem *b, int64_t ldb)
{
	const struct triangular t = triangular_of(side, uplo, transa, diag, m, n, a, lda, b, ldb);
	const int64_t blocks = (t.count + BLOCK - 1) / BLOCK;

	if (scaled_to_0(m, n, alpha, b, ldb))
		return;
	for (int64_t i = 0; i < blocks; i++) {
		const int64_t first = BLOCK * (t.below ? blocks - 1 - i : i);

		multiply_block(&t, first, lesser(first + BLOCK, t.count), alpha);
	}
}

void CORE(trsm)(int side, int uplo, int transa, int diag, int64_t m, int64_t n, elem alpha, const elem *a, int64_t lda,
                elem *b, int64_t ldb)
{
	const struct triangular t = triangular_of(side, uplo, transa, diag, m, n, a, lda, b, ldb);
	const int64_t blocks = (t.count + BLOCK - 1) / BLOCK;

	if (scaled_to_0(m, n, alpha, b, ldb))
		return;
	for (int64_t j = 0; j < n && alpha != 1; j++)
		CORE(scal)(m, alpha, b + j * ldb, 1);
	for (int64_t i = 0; i < blocks; i++) {
		const int64_t first = BLOCK * (t.below ? i : blocks - 1 - i);

		solve_block(&t, first, lesser(first + BLOCK, t.count));
	}
}
