/* SPDX-License-Identifier: MIT */
/* y = alpha * op(A) * x + beta * y for a whole matrix and for a band. */
#include "gemv.h"
#include "vector.h"
#include <string.h>

/* y = alpha * op(A) * x + beta * y of vectors without gaps, and the number of results that are computed at a time. */
struct product {
	elem *y;
	const elem *a, *x;
	int64_t m, n, lda;
	int trans;
	elem alpha, beta;
	int64_t sums, share;
};

/* At most CHUNK sums at a time, which changes no sum; for each thread a multiple of ROWS, or of COLUMNS if A is transposed. */
enum { CHUNK = 1024, ROWS = 64, COLUMNS = 8 };

void CORE(finish)(elem *y, elem *sum, int64_t n, elem alpha, elem beta)
{
	/* One fused operation is both, because the product with alpha is exact. */
	if (PARTS == 1 && beta == 1 && (alpha == 1 || alpha == -1)) {
		CORE(add)(y, sum, n, alpha, 0);
		return;
	}
	if (alpha != 1)
		CORE(scal)(n, alpha, sum, 1);
	if (beta != 0)
		CORE(add)(sum, y, n, beta, 0);
	memcpy(y, sum, (size_t)n * sizeof(elem));
}

static void compute_share(const void *data, size_t number)
{
	const struct product *p = data;
	const int64_t i = (int64_t)number * p->share, count = lesser(p->sums - i, p->share);
	elem sum[CHUNK];

	if (p->trans & TRANSPOSED)
		CORE(inner_of_columns)(sum, p->a + i * p->lda, p->x, p->m, count, p->lda, p->trans & CONJUGATED);
	else
		CORE(sums_of_columns)(sum, p->a + i, p->x, count, p->n, p->lda, p->trans & CONJUGATED);
	CORE(finish)(p->y + i, sum, count, p->alpha, p->beta);
}

static void whole(struct product p)
{
	const size_t threads = threads_for(p.m * p.n);

	p.sums = p.trans & TRANSPOSED ? p.n : p.m;
	p.share = lesser(CHUNK, (int64_t)share((size_t)p.sums, p.trans & TRANSPOSED ? COLUMNS : ROWS, 0, threads).count);
	isk_each((size_t)((p.sums + p.share - 1) / p.share), threads, compute_share, &p);
}

void CORE(gemv)(int trans, int64_t m, int64_t n, elem alpha, const elem *a, int64_t lda, const elem *x, int64_t incx,
                elem beta, elem *y, int64_t incy)
{
	const int64_t in = trans & TRANSPOSED ? m : n, out = trans & TRANSPOSED ? n : m;
	struct copy of_x, of_y;
	const elem *from;
	elem *to;

	if (!m || !n || (alpha == 0 && beta == 1))
		return;
	to = CORE(take)(&of_y, y, out, incy);
	if (alpha == 0) {
		CORE(times)(to, out, beta);
	} else {
		from = CORE(gather)(&of_x, x, in, incx, 0);
		whole((struct product){to, a, from, m, n, lda, trans, alpha, beta, 0, 0});
		CORE(drop)(&of_x);
	}
	CORE(put_back)(&of_y, y, out, incy);
}

/* The part of a column that lies in the band is added to y or multiplied with x, column after column. */
void CORE(gbmv)(int trans, int64_t m, int64_t n, int64_t kl, int64_t ku, elem alpha, const elem *a, int64_t lda, const elem *x,
                int64_t incx, elem beta, elem *y, int64_t incy)
{
	const int64_t in = trans & TRANSPOSED ? m : n, out = trans & TRANSPOSED ? n : m;
	struct copy of_x, of_y;
	const elem *from;
	elem *to;

	if (!m || !n || (alpha == 0 && beta == 1))
		return;
	to = CORE(take)(&of_y, y, out, incy);
	CORE(times)(to, out, beta);
	from = CORE(gather)(&of_x, x, in, incx, 0);
	for (int64_t j = 0; j < n && alpha != 0; j++) {
		const int64_t first = larger(0, j - ku), count = lesser(m, j + kl + 1) - first;
		const elem *column = a + j * lda + ku + first - j;

		if (count < 1)
			continue;
		if (trans & TRANSPOSED)
			to[j] = madd(alpha, CORE(inner)(column, from + first, count, trans & CONJUGATED), to[j]);
		else
			CORE(add)(to + first, column, count, mul(alpha, from[j]), trans & CONJUGATED);
	}
	CORE(drop)(&of_x);
	CORE(put_back)(&of_y, y, out, incy);
}
