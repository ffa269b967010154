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
#include "real_product.h"
#include "vector.h"
#include "xerbla.h"
#include <stdlib.h>

enum {
	FEW = 256,           /* elements that are expanded without malloc() */
	MOST_ROOM = 1 << 19, /* elements of A that are expanded at a time, in columns of A' */
	COLUMNS = 64,        /* of which the number is a multiple, because panels of a packed matrix have up to 16 */
};

/* What is expanded: room has 2 * k rows of 2 * m real numbers. */
struct expansion {
	real *room;
	struct operand a;
	int64_t m;
	elem alpha;
	real sign;
};

/* Rows 2 * i and 2 * i + 1. */
static void expand(const void *data, size_t i)
{
	const struct expansion *e = data;
	real *first = e->room + (int64_t)i * 4 * e->m, *second = first + 2 * e->m;

	for (int64_t j = 0; j < e->m; j++) {
		const elem a = element_of(e->a, j, (int64_t)i), x = e->alpha == 1 ? a : mul(e->alpha, a);

		first[2 * j] = re(x);
		first[2 * j + 1] = im(x);
		second[2 * j] = -e->sign * im(x);
		second[2 * j + 1] = e->sign * re(x);
	}
}

/* C = beta * C for a beta that is not real. */
static void scale(struct target c, int64_t m, int64_t n, elem beta)
{
	for (int64_t j = 0; j < n; j++) {
		const int64_t from = c.part == FROM_DIAGONAL ? j : 0, to = c.part == TO_DIAGONAL ? j + 1 : m;

		CORE(scal)(to - from, beta, c.c + j * c.ld + from, 1);
	}
}

/* B is not transposed, so that the columns of k elements are rows of B'. */
static void by_panels(struct target c, struct operand a, struct operand b, int64_t m, int64_t n, int64_t k, elem alpha,
                      elem beta)
{
	const int64_t width = lesser(m, larger(COLUMNS, MOST_ROOM / larger(k, 1) / COLUMNS * COLUMNS));
	real few[4 * FEW], *room = width * k <= FEW ? few : malloc(4 * (size_t)(width * k) * sizeof(real));

	if (!room)
		blas_no_memory();
	for (int64_t i = 0; i < m; i += width) {
		const int64_t rows = lesser(m - i, width);
		const struct real_product p = {
			.c = (real *)(c.c + i), .a = (const real *)b.a, .b = room, .m = (size_t)n, .n = 2 * (size_t)rows,
			.k = 2 * (size_t)k, .ldc = 2 * (size_t)c.ld, .lda = 2 * (size_t)b.ld, .ldb = 2 * (size_t)rows,
			.alpha = 1, .beta = re(beta), .part = c.part, .before = 2 * i, .hermitian = c.hermitian};

		isk_each((size_t)k, threads_for(rows * k), expand,
		         &(struct expansion){room, part_of(a, i, 0), rows, alpha, b.trans & CONJUGATED ? -1 : 1});
		CORE(real_product)(&p);
	}
	if (room != few)
		free(room);
}

void CORE(product)(struct target c, struct operand a, struct operand b, int64_t m, int64_t n, int64_t k, elem alpha,
                   elem beta)
{
	elem *turned = NULL;

	if (alpha == 0)
		k = 0;
	if (im(beta) != 0) {
		scale(c, m, n, beta);
		beta = 1;
	}
	if (b.trans & TRANSPOSED && k) {
		turned = malloc((size_t)(k * n) * sizeof(elem));
		if (!turned)
			blas_no_memory();
		CORE(transpose)(turned, b.a, n, k, k, b.ld);
		b = (struct operand){turned, k, b.trans & CONJUGATED};
	}
	by_panels(c, a, b, m, n, k, alpha, beta);
	free(turned);
}
