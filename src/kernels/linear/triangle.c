/* SPDX-License-Identifier: MIT */
/*
 * A triangular or symmetric matrix of which one triangle is stored by rows, and vectors. Each row is read as it lies in
 * memory: as a sum, by dot, or as a multiple that is added to a vector, by axpy. symv.c has the product of a symmetric one.
 */
#include "triangle_kernels.h"
#include "of_type.h"
#include "part.h"

ISK_EXTERN lane KERNEL(dot)(const elem *a, const elem *b, size_t n);
ISK_EXTERN void KERNEL(axpy)(elem *y, const elem *x, size_t n, lane alpha);

/* The columns of a row of the triangle, without the diagonal. */
struct columns {
	size_t first, count;
};

ISK_INLINE struct columns columns_of(size_t i, size_t n, unsigned lower)
{
	return lower ? (struct columns){0, i} : (struct columns){i + 1, n - 1 - i};
}

/* lower and transposed are checked by all; unit is 0 for kernels without it. */
ISK_INLINE int check(size_t n, size_t lda, unsigned lower, unsigned transposed, unsigned unit)
{
	return lower > 1 || transposed > 1 || unit > 1 ? ISK_ERR_SHAPE : lda < n ? ISK_ERR_STRIDE : ISK_OK;
}

/* To a row of the triangle, with its diagonal, the same elements of x times factor. */
ISK_INLINE void add_to_row(elem *a, const elem *x, size_t i, size_t n, unsigned lower, lane factor)
{
	const size_t first = lower ? 0 : i;

	KERNEL(axpy)(a + first, x + first, lower ? i + 1 : n - i, factor);
}

int KERNEL(syr)(elem *a, const elem *x, size_t n, size_t lda, unsigned lower, lane alpha)
{
	const int status = check(n, lda, lower, 0, 0);

	for (size_t i = 0; i < n && !status; i++, a += lda)
		add_to_row(a, x, i, n, lower, alpha * x[i]);
	return status;
}

int KERNEL(syr2)(elem *a, const elem *x, const elem *y, size_t n, size_t lda, unsigned lower, lane alpha)
{
	const int status = check(n, lda, lower, 0, 0);

	for (size_t i = 0; i < n && !status; i++, a += lda) {
		add_to_row(a, x, i, n, lower, alpha * y[i]);
		add_to_row(a, y, i, n, lower, alpha * x[i]);
	}
	return status;
}

/* Rows come in the order in which no element of x is overwritten that a later row needs. */
int KERNEL(trmv)(elem *x, const elem *a, size_t n, size_t lda, unsigned lower, unsigned transposed, unsigned unit)
{
	const int status = check(n, lda, lower, transposed, unit);

	for (size_t step = 0; step < n && !status; step++) {
		const size_t i = lower == transposed ? step : n - 1 - step;
		const struct columns c = columns_of(i, n, lower);
		const elem *row = a + i * lda;
		const lane product = unit ? x[i] : row[i] * x[i];

		if (transposed)
			KERNEL(axpy)(x + c.first, row + c.first, c.count, x[i]);
		x[i] = transposed ? product : product + KERNEL(dot)(row + c.first, x + c.first, c.count);
	}
	return status;
}

/* Rows come in the order in which each needs elements of x that are solved. */
int KERNEL(trsv)(elem *x, const elem *a, size_t n, size_t lda, unsigned lower, unsigned transposed, unsigned unit)
{
	const int status = check(n, lda, lower, transposed, unit);

	for (size_t step = 0; step < n && !status; step++) {
		const size_t i = lower != transposed ? step : n - 1 - step;
		const struct columns c = columns_of(i, n, lower);
		const elem *row = a + i * lda;

		if (!transposed)
			x[i] -= KERNEL(dot)(row + c.first, x + c.first, c.count);
		if (!unit)
			x[i] /= row[i];
		if (transposed)
			KERNEL(axpy)(x + c.first, row + c.first, c.count, -x[i]);
	}
	return status;
}
