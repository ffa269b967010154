/* SPDX-License-Identifier: MIT */
/*
 * A product of complex matrices as one of real ones. By rows, C' = B' * A'. A row of B' is, as it lies in memory, a row of
 * 2 * k real numbers: re, im, re, im ... A' is expanded to 2 * k rows of 2 * m real numbers: element (re, im) becomes
 *
 *     re   im
 *     -im  re
 *
 * so that the real product is C' as it lies in memory, and each of its sums has two fused multiply-adds for each step of k:
 * first that with the real part of B's element, then that with its imaginary part. A conjugate is a sign in the expansion
 * of A: both signs of the second row for B, that of im for A. alpha is multiplied into the elements of A.
 */
#include "product.h"
#include "real_product.h"
#include "xerbla.h"
#include <stdlib.h>

enum {
	FEW = 256,           /* elements that are expanded without malloc() */
	MOST_ROOM = 1 << 19, /* elements of A that are expanded at a time, if at least LEAST_COLUMNS are */
	LEAST_COLUMNS = 64,
};

/* to: 2 * k rows of 2 * m real numbers. */
static void expand(real *to, struct operand a, int64_t m, int64_t k, elem alpha, real sign)
{
	for (int64_t i = 0; i < k; i++, to += 4 * m)
		for (int64_t j = 0; j < m; j++) {
			const elem e = element_of(a, j, i), x = alpha == 1 ? e : mul(alpha, e);

			to[2 * j] = re(x);
			to[2 * j + 1] = im(x);
			to[2 * m + 2 * j] = -sign * im(x);
			to[2 * m + 2 * j + 1] = sign * re(x);
		}
}

/* C = beta * C for a beta that is not real. */
static void scale(elem *c, int64_t ldc, int64_t m, int64_t n, elem beta)
{
	for (int64_t j = 0; j < n; j++)
		CORE(scal)(m, beta, c + j * ldc, 1);
}

/* B is not transposed, so that the columns of k elements are rows of B'. */
static void by_panels(elem *c, int64_t ldc, struct operand a, struct operand b, int64_t m, int64_t n, int64_t k, elem alpha,
                      elem beta)
{
	const int64_t width = lesser(m, larger(LEAST_COLUMNS, MOST_ROOM / larger(k, 1)));
	real few[4 * FEW], *room = width * k <= FEW ? few : malloc(4 * (size_t)(width * k) * sizeof(real));

	if (!room)
		blas_no_memory();
	for (int64_t i = 0; i < m; i += width) {
		const int64_t rows = lesser(m - i, width);
		const struct real_product p = {
			.c = (real *)(c + i), .a = (const real *)b.a, .b = room, .m = (size_t)n, .n = 2 * (size_t)rows,
			.k = 2 * (size_t)k, .ldc = 2 * (size_t)ldc, .lda = 2 * (size_t)b.ld, .ldb = 2 * (size_t)rows,
			.alpha = 1, .beta = re(beta)};

		expand(room, part_of(a, i, 0), rows, k, alpha, b.trans & CONJUGATED ? -1 : 1);
		CORE(real_product)(&p);
	}
	if (room != few)
		free(room);
}

void CORE(product)(elem *c, int64_t ldc, struct operand a, struct operand b, int64_t m, int64_t n, int64_t k, elem alpha,
                   elem beta)
{
	elem *turned = NULL;

	if (alpha == 0)
		k = 0;
	if (im(beta) != 0) {
		scale(c, ldc, m, n, beta);
		beta = 1;
	}
	if (b.trans & TRANSPOSED && k) {
		turned = malloc((size_t)(k * n) * sizeof(elem));
		if (!turned)
			blas_no_memory();
		CORE(transpose)(turned, b.a, n, k, k, b.ld);
		b = (struct operand){turned, k, b.trans & CONJUGATED};
	}
	by_panels(c, ldc, a, b, m, n, k, alpha, beta);
	free(turned);
}
