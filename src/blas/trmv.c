/* SPDX-License-Identifier: MIT */
/*
 * x = op(A) * x and the solution of op(A) * x = b for a triangular A, in place. If A is not transposed, each column is added
 * to the elements of its rows; if it is, each element is the inner product with a column.
 */
#include "triangle.h"
#include "vector.h"

struct options {
	int trans, unit;
};

/* Element j of the columns in turn: from the first one on, or from the last one on. */
static int64_t in_turn(int64_t i, int64_t n, int from_first)
{
	return from_first ? i : n - 1 - i;
}

static elem diagonal_of(const elem *a, const struct column *c, struct options o)
{
	return o.trans & CONJUGATED ? conj_of(a[c->diagonal]) : a[c->diagonal];
}

static void multiply(const struct triangle *t, struct options o, const elem *a, elem *x)
{
	const int transposed = o.trans & TRANSPOSED, conjugated = o.trans & CONJUGATED;

	for (int64_t i = 0; i < t->n; i++) {
		const int64_t j = in_turn(i, t->n, t->lower == transposed);
		const struct column c = column_of(t, j);
		const elem product = o.unit ? x[j] : mul(diagonal_of(a, &c, o), x[j]);

		if (transposed) {
			x[j] = product + CORE(inner)(a + c.others, x + c.first, c.count, conjugated);
		} else {
			CORE(add)(x + c.first, a + c.others, c.count, x[j], conjugated);
			x[j] = product;
		}
	}
}

static void solve(const struct triangle *t, struct options o, const elem *a, elem *x)
{
	const int transposed = o.trans & TRANSPOSED, conjugated = o.trans & CONJUGATED;

	for (int64_t i = 0; i < t->n; i++) {
		const int64_t j = in_turn(i, t->n, t->lower != transposed);
		const struct column c = column_of(t, j);

		if (transposed)
			x[j] -= CORE(inner)(a + c.others, x + c.first, c.count, conjugated);
		if (!o.unit)
			x[j] = divide(x[j], diagonal_of(a, &c, o));
		if (!transposed)
			CORE(add)(x + c.first, a + c.others, c.count, -x[j], conjugated);
	}
}

static void in_place(void (*work)(const struct triangle *, struct options, const elem *, elem *), const struct triangle *t,
                     int trans, int unit, const elem *a, elem *x, int64_t incx)
{
	struct copy copy;
	elem *all;

	if (!t->n)
		return;
	all = CORE(take)(&copy, x, t->n, incx);
	work(t, (struct options){trans, unit}, a, all);
	CORE(put_back)(&copy, x, t->n, incx);
}

void CORE(trmv)(int uplo, int trans, int diag, int64_t n, const elem *a, int64_t lda, elem *x, int64_t incx)
{
	const struct triangle t = whole_triangle(n, lda, uplo);

	in_place(multiply, &t, trans, diag, a, x, incx);
}

void CORE(tbmv)(int uplo, int trans, int diag, int64_t n, int64_t k, const elem *a, int64_t lda, elem *x, int64_t incx)
{
	const struct triangle t = band_triangle(n, k, lda, uplo);

	in_place(multiply, &t, trans, diag, a, x, incx);
}

void CORE(tpmv)(int uplo, int trans, int diag, int64_t n, const elem *a, elem *x, int64_t incx)
{
	const struct triangle t = packed_triangle(n, uplo);

	in_place(multiply, &t, trans, diag, a, x, incx);
}

void CORE(trsv)(int uplo, int trans, int diag, int64_t n, const elem *a, int64_t lda, elem *x, int64_t incx)
{
	const struct triangle t = whole_triangle(n, lda, uplo);

	in_place(solve, &t, trans, diag, a, x, incx);
}

void CORE(tbsv)(int uplo, int trans, int diag, int64_t n, int64_t k, const elem *a, int64_t lda, elem *x, int64_t incx)
{
	const struct triangle t = band_triangle(n, k, lda, uplo);

	in_place(solve, &t, trans, diag, a, x, incx);
}

void CORE(tpsv)(int uplo, int trans, int diag, int64_t n, const elem *a, elem *x, int64_t incx)
{
	const struct triangle t = packed_triangle(n, uplo);

	in_place(solve, &t, trans, diag, a, x, incx);
}
