/* SPDX-License-Identifier: MIT */
#ifndef ISK_BLAS_SYMM_H
#define ISK_BLAS_SYMM_H

#include "blas.h"

/* A matrix of n by n of which one triangle is stored. */
struct symmetric {
	const elem *a;
	int64_t n, lda;
	int lower, hermitian;
};

/* C = alpha * A * B + beta * C, or with right alpha * B * A + beta * C; C and B are m by n. */
void CORE(symmetric_product)(const struct symmetric *a, int right, int64_t m, int64_t n, elem alpha, const elem *b,
                             int64_t ldb, elem beta, elem *c, int64_t ldc);

#endif
