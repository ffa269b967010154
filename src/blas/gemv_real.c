/* SPDX-License-Identifier: MIT */
/* The columns of A are rows for the kernels. */
#include "gemv.h"

void CORE(inner_of_columns)(elem *sum, const elem *a, const elem *x, int64_t m, int64_t n, int64_t lda, int conjugated)
{
	(void)conjugated;
	KERNEL(gemv)(sum, a, x, (size_t)n, (size_t)m, (size_t)lda, 1, 0);
}

void CORE(sums_of_columns)(elem *sum, const elem *a, const elem *x, int64_t m, int64_t n, int64_t lda, int conjugated)
{
	(void)conjugated;
	KERNEL(gemv_t)(sum, a, x, (size_t)n, (size_t)m, (size_t)lda, 1, 0);
}
