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

/* The elements of C that are computed: all, or in each column those from the diagonal on, or those down to it. */
enum part { WHOLE, FROM_DIAGONAL, TO_DIAGONAL };

/*
 * A result C, stored by columns. Elements that are not computed are neither read nor written. The diagonal of a Hermitian C
 * becomes real, and its imaginary parts are not read.
 */
struct target {
	elem *c;
	int64_t ld;
	enum part part;
	int hermitian;
};

static inline struct target whole_of(elem *c, int64_t ld)
{
	return (struct target){c, ld, WHOLE, 0};
}

static inline struct target triangle_of(elem *c, int64_t ld, int lower, int hermitian)
{
	return (struct target){c, ld, lower ? FROM_DIAGONAL : TO_DIAGONAL, hermitian};
}

/*
 * C (m by n) = alpha * A * B + beta * C with A of m by k and B of k by n; C is not read if beta is 0. If k or alpha is 0,
 * neither A nor B is read. Each element has the same bits, whatever else is computed, and on any number of threads.
 */
void CORE(product)(struct target c, struct operand a, struct operand b, int64_t m, int64_t n, int64_t k, elem alpha,
                   elem beta);

/* y (cols by rows, by columns) = the transpose of x (rows by cols, by columns). */
void CORE(transpose)(elem *y, const elem *x, int64_t rows, int64_t cols, int64_t ldy, int64_t ldx);

#endif
