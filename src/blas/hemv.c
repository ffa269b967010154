/* SPDX-License-Identifier: MIT */
/*
 * y = alpha * A * x + beta * y for a symmetric or Hermitian A of which one triangle is stored. Column after column, each
 * stored element is used twice: as it is for its row, and conjugated for its column. The imaginary parts of the diagonal
 * are not read. row: the stored triangle is that of conj(A).
 */
#include "triangle.h"
#include "vector.h"

/* A real matrix that is stored whole has a kernel, for which columns are rows. */
static int has_kernel(const struct triangle *t)
{
	return PARTS == 1 && t->lda && !t->is_band;
}

/* y = y + alpha * A * x */
static void add_product(int row, const struct triangle *t, elem alpha, const elem *a, const elem *x, elem *y)
{
	struct copy copy;
	struct turned turned;

	if (has_kernel(t)) {
		KERNEL(symv)((real *)y, (const real *)a, (const real *)x, (size_t)t->n, (size_t)t->lda, !t->lower, re(alpha), 1);
		return;
	}
	turned = CORE(turn)(&copy, x, t->n, !row);
	for (int64_t j = 0; j < t->n; j++) {
		const struct column c = column_of(t, j);
		const elem sum = CORE(inner_turned)(a + c.others, &turned, c.first, c.count);

		CORE(add)(y + c.first, a + c.others, c.count, mul(alpha, x[j]), row);
		y[j] = madd(alpha, madd(without_im(a[c.diagonal]), x[j], sum), y[j]);
	}
	CORE(drop)(&copy);
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
