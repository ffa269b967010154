/* SPDX-License-Identifier: MIT */
/* A = A + alpha * x * y^H, column after column; with row, x is conjugated in place of y. */
#include "vector.h"

struct update {
	int64_t m, lda, incy;
	const elem *x, *y;
	elem alpha;
	elem *a;
	int row;
};

static void add_column(const void *data, size_t j)
{
	const struct update *u = data;
	const elem y = u->y[(int64_t)j * u->incy];

	CORE(add)(u->a + (int64_t)j * u->lda, u->x, u->m, mul(u->alpha, u->row ? y : conj_of(y)), 0);
}

void CORE(gerc)(int row, int64_t m, int64_t n, elem alpha, const elem *x, int64_t incx, const elem *y, int64_t incy, elem *a,
                int64_t lda)
{
	struct copy of_x;

	if (!m || !n || alpha == 0)
		return;
	isk_each((size_t)n, threads_for(m * n), add_column,
	         &(struct update){m, lda, incy, CORE(gather)(&of_x, x, m, incx, row), y + start_of(n, incy), alpha, a, row});
	CORE(drop)(&of_x);
}
