/* SPDX-License-Identifier: MIT */
/*
 * Products of a matrix by rows and a vector, by the kernels whose order they have: a row times the vector is dot, and the
 * vector times all columns is a matmul of one row. y is not read if beta is 0, nor a and x if alpha is.
 */
#include "gemv_kernels.h"
#include "of_type.h"
#include "isakern/matrix_types.h"
#include "part.h"

ISK_EXTERN lane KERNEL(dot)(const elem *a, const elem *b, size_t n);
ISK_EXTERN void KERNEL(axpy)(elem *y, const elem *x, size_t n, lane alpha);
ISK_EXTERN int KERNEL(matmul)(elem *c, const elem *a, const elem *b, size_t m, size_t n, size_t k, size_t ldc, size_t lda,
                              size_t ldb, unsigned transposed, const struct isk_post *post);

void KERNEL(gemv)(elem *y, const elem *a, const elem *x, size_t rows, size_t cols, size_t lda, lane alpha, lane beta)
{
	for (size_t i = 0; i < rows; i++, a += lda) {
		const vec sum = splat(alpha == 0 ? 0 : alpha * KERNEL(dot)(a, x, cols));

		store(y, i, beta == 0 ? sum : multiply_add(splat(beta), load(y, i, 1), sum), 1);
	}
}

void KERNEL(gemv_t)(elem *y, const elem *a, const elem *x, size_t rows, size_t cols, size_t lda, lane alpha, lane beta)
{
	const struct isk_post post = {.size = sizeof(post), .scale = &alpha, .scales = alpha != 1, .other = y, .ldother = cols,
	                              .binary = beta != 0 ? ISK_BINARY_AXPY : ISK_BINARY_NONE, .other_scale = (double)beta};

	KERNEL(matmul)(y, x, a, 1, cols, alpha == 0 ? 0 : rows, cols, rows, lda, 0, alpha == 1 && beta == 0 ? NULL : &post);
}

void KERNEL(ger)(elem *a, const elem *x, const elem *y, size_t rows, size_t cols, size_t lda, lane alpha)
{
	for (size_t i = 0; cols && i < rows; i++, a += lda)
		KERNEL(axpy)(a, y, cols, alpha * x[i]);
}
