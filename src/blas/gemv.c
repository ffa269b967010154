/* SPDX-License-Identifier: MIT */
/* y = alpha * op(A) * x + beta * y for a whole matrix and for a band. */
#include "gemv.h"
#include "vector.h"

/* y = alpha * sum + beta * y for n sums; y is not read if beta is 0. */
static void finish(elem *y, const elem *sum, int64_t n, elem alpha, elem beta)
{
	for (int64_t i = 0; i < n; i++) {
		const elem scaled = alpha == 1 ? sum[i] : mul(alpha, sum[i]);

		y[i] = beta == 0 ? scaled : madd(beta, y[i], scaled);
	}
}

/* At most CHUNK sums at a time, which changes no sum. */
enum { CHUNK = 1024 };

static void whole(elem *y, const elem *a, const elem *x, int64_t m, int64_t n, int64_t lda, int trans, elem alpha, elem beta)
{
	const int64_t sums = trans & TRANSPOSED ? n : m;
	elem sum[CHUNK];

	for (int64_t i = 0; i < sums; i += CHUNK) {
		const int64_t count = lesser(sums - i, CHUNK);

		if (trans & TRANSPOSED)
			CORE(inner_of_columns)(sum, a + i * lda, x, m, count, lda, trans & CONJUGATED);
		else
			CORE(sums_of_columns)(sum, a + i, x, count, n, lda, trans & CONJUGATED);
		finish(y + i, sum, count, alpha, beta);
	}
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
		whole(to, a, from, m, n, lda, trans, alpha, beta);
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
