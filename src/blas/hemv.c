/* SPDX-License-Identifier: MIT */
/*
 * y = alpha * A * x + beta * y for a symmetric or Hermitian A of which one triangle is stored. Column after column, each
 * stored element is used twice: as it is for its row, and conjugated for its column. The imaginary parts of the diagonal
 * are not read. row: the stored triangle is that of conj(A).
 *
 * Each thread computes some elements of y, to which the columns add in their order, so that no bit depends on the number of
 * threads. An element of A is read by two threads if its row belongs to one and its column to another, so two threads
 * read 1.5 times as much as one. CPU time of the longer of two shares by that of one thread (Zen 4, dsymv): 200 x 200 .85,
 * 500 x 500 .70, 1000 x 1000 .75.
 */
#include "triangle.h"
#include "vector.h"
#include "room.h"
#include "xerbla.h"
#include <string.h>

enum { UNIT = 8 }; /* elements of y that a thread computes are a multiple of it, because symv.c takes four rows together */

struct product {
	const struct triangle *t;
	int row;
	elem alpha;
	const elem *a, *x;
	elem *y;
	size_t shares;
};

/* The elements of y from number `from` to `to`, column after column. */
static void by_columns(const struct product *p, int64_t from, int64_t to)
{
	for (int64_t j = 0; j < p->t->n; j++) {
		const struct column c = column_of(p->t, j);
		const int64_t first = larger(from, c.first), end = lesser(to, c.first + c.count);
		elem sum;

		if (first < end)
			CORE(add)(p->y + first, p->a + c.others + first - c.first, end - first, mul(p->alpha, p->x[j]), p->row);
		if (j < from || j >= to)
			continue;
		sum = CORE(inner)(p->a + c.others, p->x + c.first, c.count, !p->row);
		p->y[j] = madd(p->alpha, madd(without_im(p->a[c.diagonal]), p->x[j], sum), p->y[j]);
	}
}

/*
 * The same by kernels, for which columns are rows. The rows of these elements add to elements of other shares as well, in a
 * copy of y that is dropped.
 */
static void by_kernels(const struct product *p, int64_t from, int64_t to)
{
	const int64_t n = p->t->n, lda = p->t->lda, before = p->t->lower ? 0 : from, all = (p->t->lower ? n : to) - (from - before);
	const size_t count = (size_t)(to - from);
	real *const room = blas_take_room((size_t)all * sizeof(real)), *const own = room + before;
	const real *a = (const real *)p->a, *x = (const real *)p->x;

	if (!room)
		blas_no_memory();
	memset(room, 0, (size_t)all * sizeof(real));
	memcpy(own, p->y + from, count * sizeof(real));
	if (p->t->lower) {
		KERNEL(axpy_rows)(own, a + from, x, (size_t)from, count, (size_t)lda, re(p->alpha));
		KERNEL(symv_rows)(room, a + from * lda + from, x + from, count, (size_t)all, (size_t)lda, 0, re(p->alpha));
	} else {
		KERNEL(symv_rows)(room, a + from * lda, x, count, (size_t)all, (size_t)lda, 1, re(p->alpha));
		KERNEL(axpy_rows)(own, a + to * lda + from, x + to, (size_t)(n - to), count, (size_t)lda, re(p->alpha));
	}
	memcpy(p->y + from, own, count * sizeof(real));
	blas_give_room(room);
}

/* A real matrix that is stored whole has kernels. */
static int has_kernel(const struct triangle *t)
{
	return PARTS == 1 && t->lda && !t->is_band;
}

static void compute_share(const void *data, size_t i)
{
	const struct product *p = data;
	const struct range own = share((size_t)p->t->n, UNIT, i, p->shares);

	if (own.count)
		(has_kernel(p->t) ? by_kernels : by_columns)(p, (int64_t)own.at, (int64_t)(own.at + own.count));
}

/* y = y + alpha * A * x */
static void add_product(int row, const struct triangle *t, elem alpha, const elem *a, const elem *x, elem *y)
{
	struct product p = {.t = t, .row = row, .alpha = alpha, .a = a, .x = x, .y = y, .shares = threads_for(t->n * t->k / 3)};

	if (p.shares == 1 && has_kernel(t)) {
		KERNEL(symv)((real *)y, (const real *)a, (const real *)x, (size_t)t->n, (size_t)t->lda, !t->lower, re(alpha), 1);
		return;
	}
	isk_each(p.shares, p.shares, compute_share, &p);
}

static void multiply(int row, const struct triangle *t, elem alpha, const elem *a, const elem *x, int64_t incx, elem beta,
                     elem *y, int64_t incy)
{
	struct copy of_x, of_y;
	const elem *from;
	elem *to;

	if (!t->n || (alpha == 0 && beta == 1))
		return;
	to = CORE(take)(&of_y, y, t->n, incy);
	CORE(times)(to, t->n, beta);
	from = CORE(gather)(&of_x, x, t->n, incx, 0);
	if (alpha != 0)
		add_product(row, t, alpha, a, from, to);
	CORE(drop)(&of_x);
	CORE(put_back)(&of_y, y, t->n, incy);
}

void CORE(hemv)(int row, int uplo, int64_t n, elem alpha, const elem *a, int64_t lda, const elem *x, int64_t incx, elem beta,
                elem *y, int64_t incy)
{
	const struct triangle t = whole_triangle(n, lda, uplo);

	multiply(row, &t, alpha, a, x, incx, beta, y, incy);
}

void CORE(hbmv)(int row, int uplo, int64_t n, int64_t k, elem alpha, const elem *a, int64_t lda, const elem *x, int64_t incx,
                elem beta, elem *y, int64_t incy)
{
	const struct triangle t = band_triangle(n, k, lda, uplo);

	multiply(row, &t, alpha, a, x, incx, beta, y, incy);
}

void CORE(hpmv)(int row, int uplo, int64_t n, elem alpha, const elem *a, const elem *x, int64_t incx, elem beta, elem *y,
                int64_t incy)
{
	const struct triangle t = packed_triangle(n, uplo);

	multiply(row, &t, alpha, a, x, incx, beta, y, incy);
}
