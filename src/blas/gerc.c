/* SPDX-License-Identifier: MIT */
/* A = A + alpha * x * y^H, column after column; with row, x is conjugated in place of y. */
#include "vector.h"

void CORE(gerc)(int row, int64_t m, int64_t n, elem alpha, const elem *x, int64_t incx, const elem *y, int64_t incy, elem *a,
                int64_t lda)
{
	struct copy of_x;
	const elem *from;

	if (!m || !n || alpha == 0)
		return;
	from = CORE(gather)(&of_x, x, m, incx, row);
	y += start_of(n, incy);
	for (int64_t j = 0; j < n; j++, y += incy)
		CORE(add)(a + j * lda, from, m, mul(alpha, row ? *y : conj_of(*y)), 0);
	CORE(drop)(&of_x);
}
