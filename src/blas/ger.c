/* SPDX-License-Identifier: MIT */
/* A multiple of x is added to each column of A, on several threads. */
#include "ger.h"
#include "vector.h"

struct update {
	elem *a;
	int64_t m, lda;
	const elem *x, *y; /* without gaps */
	elem alpha;
};

static void add_column(const void *data, size_t j)
{
	const struct update *u = data;

	CORE(add)(u->a + (int64_t)j * u->lda, u->x, u->m, mul(u->alpha, u->y[j]), 0);
}

void CORE(rank_1)(int64_t m, int64_t n, elem alpha, const elem *x, int64_t incx, int conjugated_x, const elem *y, int64_t incy,
                  int conjugated_y, elem *a, int64_t lda)
{
	struct copy of_x, of_y;
	struct update u = {.a = a, .m = m, .lda = lda, .alpha = alpha};

	if (!m || !n || alpha == 0)
		return;
	u.x = CORE(gather)(&of_x, x, m, incx, conjugated_x);
	u.y = CORE(gather)(&of_y, y, n, incy, conjugated_y);
	CORE(each_column)(n, threads_for(m * n), add_column, &u);
	CORE(drop)(&of_x);
	CORE(drop)(&of_y);
}

void CORE(ger)(int64_t m, int64_t n, elem alpha, const elem *x, int64_t incx, const elem *y, int64_t incy, elem *a,
               int64_t lda)
{
	CORE(rank_1)(m, n, alpha, x, incx, 0, y, incy, 0, a, lda);
}
