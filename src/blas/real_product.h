/* SPDX-License-Identifier: MIT */
#ifndef ISK_BLAS_REAL_PRODUCT_H
#define ISK_BLAS_REAL_PRODUCT_H

#include "blas.h"

/*
 * C = A * B of real matrices by rows: C is m by n, A m by k, B k by n, and transposed says which of them are stored
 * transposed, as isk_matmul takes it. alpha and beta are those of BLAS.
 */
struct real_product {
	real *c;
	const real *a, *b;
	size_t m, n, k;
	size_t ldc, lda, ldb;
	unsigned transposed;
	real alpha, beta;
};

void CORE(real_product)(const struct real_product *p);

#endif
