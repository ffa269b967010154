/* SPDX-License-Identifier: MIT */
/*
 * B = alpha * op(A) * B or alpha * B * op(A), and the X of op(A) * X = alpha * B or X * op(A) = alpha * B, in place of B,
 * for a triangular A. If A is on the right, the transposes are computed: a row, below, is a column of B then. A row of B
 * is computed from itself and from those on one side of it: in its block of BLOCK rows one by one, and from all others by
 * one product for the block.
 */
#include "triangular.h"
#include "threads.h"
#include "vector.h"
#include "room.h"
#include "xerbla.h"

enum {
	UNIT = 32,      /* columns of B that a thread takes are a multiple of it */
	NEAR = 1 << 20, /* bytes of B that the second cache holds */
};

/* A on the right: the block is brought into the form that it has on the left. */
static void add_turned(const struct triangular *t, int64_t first, int64_t count, struct operand a, struct operand others,
                       int64_t many, elem alpha)
{
	elem *const block = at_b(t, first, 0), *turned = blas_take_room((size_t)(count * t->columns) * sizeof(elem));

	if (!turned)
		blas_no_memory();
	CORE(transpose)(turned, block, t->columns, count, count, t->ldb);
	others.trans = TRANSPOSED;
	CORE(product)(whole_of(turned, count), a, others, count, t->columns, many, alpha, 1);
	CORE(transpose)(block, turned, count, t->columns, t->ldb, count);
	blas_give_room(turned);
}

/*
 * Whether a block on the right is computed where it lies. Complex sums depend on which factor is which. From a large B whose
 * rows are not aligned to a cache line products read slowly: 1000 x 1000 1.22 of the time of a turned block, 256 x 256 .80
 * (Zen 4, dtrmm).
 */
static int is_direct(const struct triangular *t, int64_t many)
{
	return PARTS == 1 && (size_t)(many * t->columns) * sizeof(elem) <= NEAR;
}

/* To the rows of a block, those beyond it on which it depends, times op(A) and alpha. */
static void add_far(const struct triangular *t, int64_t first, int64_t count, elem alpha)
{
	const int64_t from = t->below ? 0 : first + count, many = t->below ? first : t->rows - from;
	const struct operand others = {at_b(t, from, 0), t->ldb, 0};
	struct operand a = part_of(t->a, first, from);

	if (many == 0)
		return;
	if (!t->right) {
		CORE(product)(whole_of(at_b(t, first, 0), t->ldb), a, others, count, t->columns, many, alpha, 1);
	} else if (!is_direct(t, many)) {
		add_turned(t, first, count, a, others, many, alpha);
	} else {
		a.trans ^= TRANSPOSED;
		CORE(product)(whole_of(at_b(t, first, 0), t->ldb), others, a, t->columns, count, many, alpha, 1);
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
		CORE(triangular_block)(t, first, count);
		if (!t->solve)
			add_far(t, first, count, t->alpha);
	}
}

/* Some columns of B. They are computed independently of the others, so that each thread takes some. */
struct share {
	const struct triangular *t;
	int64_t columns;
};

static void compute_share(const void *data, size_t number)
{
	const struct share *s = data;
	const int64_t first = (int64_t)number * s->columns;
	struct triangular part = *s->t;

	part.columns = lesser(part.columns - first, s->columns);
	part.b = at_b(&part, 0, first);
	by_blocks(&part);
}

/*
 * For few columns, one share, whose products run on several threads. A multiply-add counts twice, because in a block of a
 * triangle it takes about twice as long as in a product.
 */
static void in_shares(const struct triangular *t)
{
	const double steps = (double)t->rows * (double)t->rows * (double)t->columns;
	const size_t threads = isk_threads_for(steps, ISK_STEPS_A_THREAD);
	const struct share s = {t, (int64_t)share((size_t)t->columns, UNIT, 0, threads).count};
	const int64_t shares = (t->columns + s.columns - 1) / s.columns;

	isk_each((size_t)shares, (size_t)lesser((int64_t)threads, shares), compute_share, &s);
}

/* An alpha of 0 writes zeros and reads nothing. */
static void work(int solve, int side, int uplo, int transa, int diag, int64_t m, int64_t n, elem alpha, const elem *a,
                 int64_t lda, elem *b, int64_t ldb)
{
	const int trans = side ? transa ^ TRANSPOSED : transa;
	const struct triangular t = {
		.a = {a, lda, trans}, .unit = diag, .solve = solve, .below = uplo ^ (trans & TRANSPOSED), .right = side,
		.rows = side ? n : m, .columns = side ? m : n, .alpha = alpha, .b = b, .ldb = ldb};

	for (int64_t j = 0; j < n && (solve || alpha == 0); j++)
		CORE(times)(b + j * ldb, m, alpha);
	if (m && n && alpha != 0)
		in_shares(&t);
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
