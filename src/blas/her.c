/* SPDX-License-Identifier: MIT */
/*
 * A = A + alpha * x * y^T and its symmetric and Hermitian forms, column after column: to each column a multiple of a vector
 * is added. The diagonal of a Hermitian matrix becomes real. row: the stored triangle is that of
 * conj(A), so the vectors are conjugated as well.
 */
#include "triangle.h"
#include "vector.h"

void CORE(ger)(int64_t m, int64_t n, elem alpha, const elem *x, int64_t incx, const elem *y, int64_t incy, elem *a,
               int64_t lda)
{
	struct copy of_x;
	const elem *from;

	if (!m || !n || alpha == 0)
		return;
	from = CORE(gather)(&of_x, x, m, incx, 0);
	y += start_of(n, incy);
	for (int64_t j = 0; j < n; j++, y += incy)
		CORE(add)(a + j * lda, from, m, mul(alpha, *y), 0);
	CORE(drop)(&of_x);
}

static void add_square(int row, const struct triangle *t, real alpha, const elem *x, int64_t incx, elem *a)
{
	struct copy of_x;
	const elem *from;

	if (!t->n || alpha == 0)
		return;
	from = CORE(gather)(&of_x, x, t->n, incx, row);
	for (int64_t j = 0; j < t->n; j++) {
		const struct column c = column_of(t, j);
		const elem factor = alpha * conj_of(from[j]);

		CORE(add)(a + c.others, from + c.first, c.count, factor, 0);
		a[c.diagonal] = without_im(madd(factor, from[j], without_im(a[c.diagonal])));
	}
	CORE(drop)(&of_x);
}

/* To column j, alpha * conj(y[j]) * x is added first, then conj(alpha * x[j]) * y. */
static void add_products(int row, const struct triangle *t, elem alpha, const elem *x, int64_t incx, const elem *y,
                         int64_t incy, elem *a)
{
	struct copy of_x, of_y;
	const elem *left, *right;

	if (!t->n || alpha == 0)
		return;
	left = CORE(gather)(&of_x, x, t->n, incx, row);
	right = CORE(gather)(&of_y, y, t->n, incy, row);
	for (int64_t j = 0; j < t->n; j++) {
		const struct column c = column_of(t, j);
		const elem of_left = mul(alpha, conj_of(right[j])), of_right = conj_of(mul(alpha, left[j]));
		elem *diagonal = a + c.diagonal;

		CORE(add)(a + c.others, left + c.first, c.count, of_left, 0);
		CORE(add)(a + c.others, right + c.first, c.count, of_right, 0);
		*diagonal = without_im(madd(of_right, right[j], madd(of_left, left[j], without_im(*diagonal))));
	}
	CORE(drop)(&of_x);
	CORE(drop)(&of_y);
}

void CORE(her)(int row, int uplo, int64_t n, real alpha, const elem *x, int64_t incx, elem *a, int64_t lda)
{
	const struct triangle t = whole_triangle(n, lda, uplo);

	add_square(row, &t, alpha, x, incx, a);
}

void CORE(hpr)(int row, int uplo, int64_t n, real alpha, const elem *x, int64_t incx, elem *a)
{
	const struct triangle t = packed_triangle(n, uplo);

	add_square(row, &t, alpha, x, incx, a);
}

void CORE(her2)(int row, int uplo, int64_t n, elem alpha, const elem *x, int64_t incx, const elem *y, int64_t incy, elem *a,
                int64_t lda)
{
	const struct triangle t = whole_triangle(n, lda, uplo);

	add_products(row, &t, alpha, x, incx, y, incy, a);
}

void CORE(hpr2)(int row, int uplo, int64_t n, elem alpha, const elem *x, int64_t incx, const elem *y, int64_t incy, elem *a)
{
	const struct triangle t = packed_triangle(n, uplo);

	add_products(row, &t, alpha, x, incx, y, incy, a);
}
