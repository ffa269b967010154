/* SPDX-License-Identifier: MIT */
/* A block of C: some rows of A times some columns of B. If C is a triangle, a block on its diagonal is cut into strips. */
#include "real_product.h"
#include "xerbla.h"
#include <stdlib.h>
#include <string.h>

enum {
	TURNED = 256, /* rows of a transposed A that are copied at a time */
	SUMS = 256,   /* rows of sums that are computed outside C at a time, */
	LONG = 256,   /* if k is longer */
	STRIP = 64,   /* rows of a block on the diagonal, a multiple of a packed panel's columns */
};

/* Some rows of A. */
struct rows {
	const real *a;
	size_t ld;
	unsigned transposed;
};

/* Columns of C, counted from the first one in memory. */
struct span {
	size_t from, to;
};

/* BLAS has no way to report an error, and all arguments have been checked. */
static void must(int status)
{
	if (status)
		blas_no_memory();
}

/* From row i of a matrix on. */
static struct rows rows_from(struct rows a, size_t i)
{
	a.a += i * (a.transposed ? 1 : a.ld);
	return a;
}

/* `count` rows at c; beta is that of p or 0. */
static void multiply(const struct real_product *p, struct rows a, size_t count, const struct columns *columns, struct span s,
                     real *c, size_t ldc, real beta)
{
	const size_t width = s.to - s.from;
	struct isk_post post = {.size = sizeof(post), .scale = &p->alpha, .scales = p->alpha != 1, .other = c, .ldother = ldc,
	                        .binary = beta != 0 ? ISK_BINARY_AXPY : ISK_BINARY_NONE, .other_scale = (double)beta};

	if (columns->packed) {
		post.first_column = s.from - columns->at;
		must(KERNEL(gemm)(c, a.a, columns->packed, count, width, p->k, ldc, a.ld, &post));
	} else {
		must(KERNEL(matmul)(c, a.a, p->b + s.from * (p->transposed & ISK_TRANSPOSED_B ? p->ldb : 1), count, width, p->k, ldc,
		                    a.ld, p->ldb, a.transposed | (p->transposed & ISK_TRANSPOSED_B), &post));
	}
}

/*
 * If k is long, the kernel keeps sums in C between parts of k, unless it needs C for beta. Then it multiplies small blocks,
 * which takes 1.07 times as long for 1000 x 1000 x 1000 (Zen 4). So the sums are computed elsewhere, and C is added to them
 * with the one operation that the kernel has for beta. Returns 0 without memory.
 */
static int by_sums(const struct real_product *p, struct rows a, size_t count, const struct columns *columns, struct span s,
                   real *c, size_t ldc)
{
	const size_t width = s.to - s.from;
	real *sums = malloc(lesser_size(count, SUMS) * width * sizeof(real));

	if (!sums)
		return 0;
	for (size_t i = 0, rows; i < count; i += rows) {
		rows = lesser_size(count - i, SUMS);
		multiply(p, rows_from(a, i), rows, columns, s, sums, width, 0);
		for (size_t row = 0; row < rows; row++) {
			KERNEL(axpy)(sums + row * width, c + (i + row) * ldc, width, p->beta);
			memcpy(c + (i + row) * ldc, sums + row * width, width * sizeof(real));
		}
	}
	free(sums);
	return 1;
}

/* A rectangle of `count` rows at c. */
static void rectangle(const struct real_product *p, struct rows a, size_t count, const struct columns *columns, struct span s,
                      real *c, size_t ldc)
{
	if (!columns->packed || p->beta == 0 || p->k <= LONG || !by_sums(p, a, count, columns, s, c, ldc))
		multiply(p, a, count, columns, s, c, ldc, p->beta);
}

/* The first column of row i's diagonal, or the end of s that is nearest to it. */
static size_t diagonal_of(const struct real_product *p, size_t i, struct span s)
{
	const ptrdiff_t at = (ptrdiff_t)(PARTS * i) - p->before;

	return at <= (ptrdiff_t)s.from ? s.from : at >= (ptrdiff_t)s.to ? s.to : (size_t)at;
}

/* Copies what is computed of `count` rows from row i on; the diagonal of a Hermitian matrix without imaginary parts. */
static void copy_computed(const struct real_product *p, real *to, size_t ldto, const real *from, size_t ldfrom, size_t i,
                          size_t count, struct span s)
{
	for (size_t row = i; row < i + count; row++, to += ldto, from += ldfrom) {
		const size_t diagonal = diagonal_of(p, row, s), behind = diagonal_of(p, row + 1, s);
		const size_t first = p->part == FROM_DIAGONAL ? diagonal : s.from, end = p->part == FROM_DIAGONAL ? s.to : behind;

		for (size_t j = first; j < end; j++)
			to[j - s.from] = from[j - s.from];
		if (p->hermitian && diagonal < behind)
			to[diagonal + 1 - s.from] = 0;
	}
}

/* The columns of a strip that have elements on both sides of the diagonal, in a copy, so that the other triangle stays. */
static void on_diagonal(const struct real_product *p, struct rows a, size_t i, size_t count, const struct columns *columns,
                        struct span s)
{
	real square[STRIP * STRIP * PARTS];
	real *c = p->c + i * p->ldc + s.from;
	const size_t width = s.to - s.from;

	if (p->beta != 0) {
		memset(square, 0, sizeof(square));
		copy_computed(p, square, width, c, p->ldc, i, count, s);
	}
	rectangle(p, a, count, columns, s, square, width);
	copy_computed(p, c, p->ldc, square, width, i, count, s);
}

static void strip(const struct real_product *p, struct rows a, size_t i, size_t count, const struct columns *columns,
                  struct span s)
{
	const size_t from = diagonal_of(p, i, s), to = diagonal_of(p, i + count, s);
	const struct span rest = p->part == FROM_DIAGONAL ? (struct span){to, s.to} : (struct span){s.from, from};

	if (rest.from < rest.to)
		rectangle(p, a, count, columns, rest, p->c + i * p->ldc + rest.from, p->ldc);
	if (from < to)
		on_diagonal(p, a, i, count, columns, (struct span){from, to});
}

/* Rows `from` to `to`; a is the first one. */
static void rows_of(const struct real_product *p, struct rows a, size_t from, size_t to, const struct columns *columns)
{
	const struct span s = {columns->at, columns->at + columns->count};
	const int is_below = diagonal_of(p, from, s) == s.to, is_above = diagonal_of(p, to, s) == s.from;

	if (p->part == WHOLE || (p->part == FROM_DIAGONAL && is_above) || (p->part == TO_DIAGONAL && is_below)) {
		rectangle(p, a, to - from, columns, s, p->c + from * p->ldc + s.from, p->ldc);
	} else {
		for (size_t i = from, count; i < to; i += count) {
			count = to - i < STRIP ? to - i : STRIP;
			strip(p, rows_from(a, i - from), i, count, columns, s);
		}
	}
}

/* Rows of a transposed A are copied, because a packed B takes rows without gaps. Returns 0 without memory. */
static int turned(const struct real_product *p, size_t from, size_t to, const struct columns *columns)
{
	real *copy = malloc(TURNED * p->k * sizeof(real));

	if (!copy)
		return 0;
	for (size_t i = from, count; i < to; i += count) {
		count = to - i < TURNED ? to - i : TURNED;
		BITS_KERNEL(transpose)((void *)copy, (const void *)(p->a + i), p->k, count, p->k, p->lda);
		rows_of(p, (struct rows){copy, p->k, 0}, i, i + count, columns);
	}
	free(copy);
	return 1;
}

void CORE(block)(const struct real_product *p, size_t from, size_t to, const struct columns *columns)
{
	const unsigned transposed = p->transposed & ISK_TRANSPOSED_A;
	const struct columns unpacked = {columns->at, columns->count, NULL};

	if (!columns->packed || !transposed || !turned(p, from, to, columns))
		rows_of(p, rows_from((struct rows){p->a, p->lda, transposed}, from), from, to, transposed ? &unpacked : columns);
}
