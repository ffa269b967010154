/* SPDX-License-Identifier: MIT */
#ifndef ISK_BLAS_GER_H
#define ISK_BLAS_GER_H

#include "blas.h"

/* A = A + alpha * x * y^T, x and y conjugated if asked. */
void CORE(rank_1)(int64_t m, int64_t n, elem alpha, const elem *x, int64_t incx, int conjugated_x, const elem *y, int64_t incy,
                  int conjugated_y, elem *a, int64_t lda);

#endif
