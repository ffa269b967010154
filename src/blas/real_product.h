/* SPDX-License-Identifier: MIT */
#ifndef ISK_BLAS_REAL_PRODUCT_H
#define ISK_BLAS_REAL_PRODUCT_H

#include "product.h"

/*
 * C = A * B of real matrices by rows: C is m by n, A m by k, B k by n, and transposed says which of them are stored
 * transposed, as isk_matmul takes it. alpha and beta are those of BLAS.
 *
 * In each row of C, part says which columns are computed. The PARTS columns of row i from PARTS * i - before on are its
 * diagonal.
 */
struct real_product {
	real *c;
	const real *a, *b;
	size_t m, n, k;
	size_t ldc, lda, ldb;
	unsigned transposed;
	real alpha, beta;
	enum part part;
	ptrdiff_t before;
	int hermitian;
};

static inline size_t lesser_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

void CORE(real_product)(const struct real_product *p);

/* Some columns of B. */
struct columns {
	size_t at, count;
	void *packed; /* NULL: they are read where they are */
};

/* Rows `from` to `to` of C in the columns of B. */
void CORE(block)(const struct real_product *p, size_t from, size_t to, const struct columns *columns);

#endif
