/* SPDX-License-Identifier: MIT */
/* A = A + alpha * x * y^H; with row, x is conjugated in place of y. */
#include "ger.h"

void CORE(gerc)(int row, int64_t m, int64_t n, elem alpha, const elem *x, int64_t incx, const elem *y, int64_t incy, elem *a,
                int64_t lda)
{
	CORE(rank_1)(m, n, alpha, x, incx, row, y, incy, !row, a, lda);
}
