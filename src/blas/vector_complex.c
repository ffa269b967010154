/* SPDX-License-Identifier: MIT */
/* The operations of level 2 on complex vectors: kernels. */
#include "vector.h"
#include "gemv.h"

void CORE(add)(elem *y, const elem *x, int64_t n, elem alpha, int conjugated)
{
	if (n > 0)
		COMPLEX_KERNEL(axpy)(y, x, (size_t)n, conjugated != 0, re(alpha), im(alpha));
}

void CORE(inner_of_columns)(elem *sum, const elem *a, const elem *x, int64_t m, int64_t n, int64_t lda, int conjugated)
{
	COMPLEX_KERNEL(dot_rows)(sum, a, x, (size_t)n, (size_t)m, (size_t)lda, conjugated != 0);
}

elem CORE(inner)(const elem *a, const elem *x, int64_t n, int conjugated)
{
	elem sum = 0;

	if (n > 0)
		CORE(inner_of_columns)(&sum, a, x, n, 1, n, conjugated);
	return sum;
}
