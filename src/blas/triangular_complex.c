/* SPDX-License-Identifier: MIT */
/* A block of complex numbers, row by row. */
#include "triangular.h"
#include "gemv.h"
#include "vector.h"
#include <string.h>

enum { CHUNK = 64 }; /* columns of a block that are computed at a time, so that they stay in the first cache */

/* A block of rows, `length` elements of each: row i lies at v + (i - first) * CHUNK. */
struct block {
	int64_t first, count, length;
	elem *v;
};

static elem *row_of(const struct block *b, int64_t i)
{
	return b->v + (i - b->first) * CHUNK;
}

/* To row i of a block, those of the block on which it depends. */
static void add_neighbours(const struct triangular *t, const struct block *b, int64_t i, elem alpha)
{
	const int64_t from = t->below ? b->first : i + 1, many = t->below ? i - b->first : b->first + b->count - from;
	const int64_t apart = t->a.trans & TRANSPOSED ? 1 : t->a.ld;
	struct copy copy;
	elem sum[CHUNK];

	if (many == 0)
		return;
	CORE(sums_of_columns)(sum, row_of(b, from), CORE(gather)(&copy, part_of(t->a, i, from).a, many, apart, t->a.trans & CONJUGATED),
	                      b->length, many, CHUNK, 0);
	CORE(finish)(row_of(b, i), sum, b->length, alpha, 1);
	CORE(drop)(&copy);
}

/* Rows on which others depend are computed after them, so that B needs no copy. */
static void multiply_block(const struct triangular *t, const struct block *b)
{
	for (int64_t step = 0; step < b->count; step++) {
		const int64_t i = b->first + (t->below ? b->count - 1 - step : step);
		const elem factor = t->unit ? t->alpha : mul(t->alpha, element_of(t->a, i, i));

		if (factor != 1)
			CORE(scal)(b->length, factor, row_of(b, i), 1);
		add_neighbours(t, b, i, t->alpha);
	}
}

static void divide_row(elem *x, int64_t n, elem by)
{
	for (int64_t j = 0; j < n; j++)
		x[j] = divide(x[j], by);
}

static void solve_block(const struct triangular *t, const struct block *b)
{
	for (int64_t step = 0; step < b->count; step++) {
		const int64_t i = b->first + (t->below ? step : b->count - 1 - step);

		add_neighbours(t, b, i, -1);
		if (!t->unit)
			divide_row(row_of(b, i), b->length, element_of(t->a, i, i));
	}
}

static void copy_rows(elem *to, int64_t ldto, const elem *from, int64_t ldfrom, int64_t rows, int64_t length)
{
	for (int64_t i = 0; i < rows; i++, to += ldto, from += ldfrom)
		memcpy(to, from, (size_t)length * sizeof(elem));
}

/* The rows of a block, CHUNK columns at a time, in a copy in which the elements of a row lie side by side. */
void CORE(triangular_block)(const struct triangular *t, int64_t first, int64_t count)
{
	elem chunk[BLOCK * CHUNK];

	for (int64_t at = 0; at < t->columns; at += CHUNK) {
		const struct block b = {first, count, lesser(t->columns - at, CHUNK), chunk};
		elem *here = at_b(t, first, at);

		if (t->right)
			copy_rows(chunk, CHUNK, here, t->ldb, count, b.length);
		else
			CORE(transpose)(chunk, here, count, b.length, CHUNK, t->ldb);
		(t->solve ? solve_block : multiply_block)(t, &b);
		if (t->right)
			copy_rows(here, t->ldb, chunk, CHUNK, count, b.length);
		else
			CORE(transpose)(here, chunk, b.length, count, t->ldb, CHUNK);
	}
}
