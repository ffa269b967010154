/* SPDX-License-Identifier: MIT */
#ifndef ISK_BLAS_GEMV_H
#define ISK_BLAS_GEMV_H

#include "blas.h"

/* The m sums over j of column j of A times x[j], A conjugated if asked, in the order that README.md states for gemv. */
void CORE(sums_of_columns)(elem *sum, const elem *a, const elem *x, int64_t m, int64_t n, int64_t lda, int conjugated);

/* The n sums of CORE(inner): that of each column of A and the m elements of x. */
void CORE(inner_of_columns)(elem *sum, const elem *a, const elem *x, int64_t m, int64_t n, int64_t lda, int conjugated);

/* y = alpha * sum + beta * y for n sums, as README.md states; y is not read if beta is 0. sum is overwritten. */
void CORE(finish)(elem *y, elem *sum, int64_t n, elem alpha, elem beta);

#endif
