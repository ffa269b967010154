/* SPDX-License-Identifier: MIT */
/* The product of general matrices, of which all other routines of level 3 are made. */
#ifndef ISK_BLAS_PRODUCT_H
#define ISK_BLAS_PRODUCT_H

#include "blas.h"

/* A matrix by columns that is read as op(A): trans is the sum of TRANSPOSED and CONJUGATED. */
struct operand {
	const elem *a;
	int64_t ld;
	int trans;
};

/* From row i and column j of op(A) on. */
static inline struct operand part_of(struct operand x, int64_t i, int64_t j)
{
	x.a += x.trans & TRANSPOSED ? i * x.ld + j : j * x.ld + i;
	return x;
}

static inline elem element_of(struct operand x, int64_t i, int64_t j)
{
	const elem e = *part_of(x, i, j).a;

	return x.trans & CONJUGATED ? conj_of(e) : e;
}

/*
 * C (m by n, by columns) = alpha * A * B + beta * C with A of m by k and B of k by n; C is not read if beta is 0. If k or
 * alpha is 0, neither A nor B is read.
 */
void CORE(product)(elem *c, int64_t ldc, struct operand a, struct operand b, int64_t m, int64_t n, int64_t k, elem alpha,
                   elem beta);

/* y (cols by rows, by columns) = the transpose of x (rows by cols, by columns). */
void CORE(transpose)(elem *y, const elem *x, int64_t rows, int64_t cols, int64_t ldy, int64_t ldx);

#endif
