/* SPDX-License-Identifier: MIT */
#include "gemv.h"
#include "vector.h"

void CORE(inner_of_columns)(elem *sum, const elem *a, const elem *x, int64_t m, int64_t n, int64_t lda, int conjugated)
{
	for (int64_t j = 0; j < n; j++)
		sum[j] = CORE(inner)(a + j * lda, x, m, conjugated);
}

/* Each sum is a chain over the columns: the product of the row x and the rows that the columns of A are. */
void CORE(sums_of_columns)(elem *sum, const elem *a, const elem *x, int64_t m, int64_t n, int64_t lda, int conjugated)
{
	(void)conjugated;
	KERNEL(matmul)(sum, x, a, 1, (size_t)m, (size_t)n, (size_t)m, (size_t)n, (size_t)lda, 0, NULL);
}
