/* SPDX-License-Identifier: MIT */
/*
 * A = A + alpha * x * x^H and A = A + alpha * x * y^H + conj(alpha) * y * x^H, one triangle, column by column: multiples of
 * vectors are added to each column. The diagonal of a Hermitian matrix becomes real. row: the stored triangle is that of
 * conj(A), so the vectors are conjugated as well.
 */
#include "triangle.h"
#include "vector.h"

/* The columns of a triangle, each changed by one thread. */
struct update {
	const struct triangle *t;
	const elem *x, *y; /* without gaps */
	elem alpha;
	elem *a;
};

static void add_square_column(const void *data, size_t j)
{
	const struct update *u = data;
	const struct column c = column_of(u->t, (int64_t)j);
	const elem factor = re(u->alpha) * conj_of(u->x[j]);
	elem *diagonal = u->a + c.diagonal;

	CORE(add)(u->a + c.others, u->x + c.first, c.count, factor, 0);
	*diagonal = without_im(madd(factor, u->x[j], without_im(*diagonal)));
}

static void add_square(int row, const struct triangle *t, real alpha, const elem *x, int64_t incx, elem *a)
{
	struct copy of_x;
	struct update u = {.t = t, .alpha = alpha, .a = a};

	if (!t->n || alpha == 0)
		return;
	u.x = CORE(gather)(&of_x, x, t->n, incx, row);
	CORE(each_column)(t->n, threads_for(t->n * t->n / 2), add_square_column, &u);
	CORE(drop)(&of_x);
}

/* To column j, alpha * conj(y[j]) * x is added first, then conj(alpha * x[j]) * y. */
static void add_products_column(const void *data, size_t j)
{
	const struct update *u = data;
	const struct column c = column_of(u->t, (int64_t)j);
	const elem of_x = mul(u->alpha, conj_of(u->y[j])), of_y = conj_of(mul(u->alpha, u->x[j]));
	elem *diagonal = u->a + c.diagonal;

	CORE(add)(u->a + c.others, u->x + c.first, c.count, of_x, 0);
	CORE(add)(u->a + c.others, u->y + c.first, c.count, of_y, 0);
	*diagonal = without_im(madd(of_y, u->y[j], madd(of_x, u->x[j], without_im(*diagonal))));
}

static void add_products(int row, const struct triangle *t, elem alpha, const elem *x, int64_t incx, const elem *y,
                         int64_t incy, elem *a)
{
	struct copy of_x, of_y;
	struct update u = {.t = t, .alpha = alpha, .a = a};

	if (!t->n || alpha == 0)
		return;
	u.x = CORE(gather)(&of_x, x, t->n, incx, row);
	u.y = CORE(gather)(&of_y, y, t->n, incy, row);
	CORE(each_column)(t->n, threads_for(t->n * t->n / 2), add_products_column, &u);
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
