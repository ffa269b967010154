/* SPDX-License-Identifier: MIT */
/*
 * A product of matrices by rows, C = alpha * A * B + beta * C, as the kernels take it, and parts of it: C is m by n, A m by k,
 * B k by n. In each row of C, part says which columns are computed; the diagonal of C is that of a square matrix.
 */
#ifndef ISK_BLAS_RECTANGLE_H
#define ISK_BLAS_RECTANGLE_H

#include "product.h"

struct by_rows {
	elem *c;
	struct operand a, b; /* ld: from one row to the next */
	size_t m, n, k, ldc;
	elem alpha;
	real beta;
	enum part part;
	int hermitian;
};

/* Columns of B from `at` on, which are packed, or are read where they are if that is NULL. */
struct columns {
	size_t at;
	void *packed;
};

/* Columns of C. */
struct span {
	size_t from, to;
};

static inline size_t lesser_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The bytes of `count` packed columns of B; 0: packing does not pay, or this type has no packed matrix. */
size_t CORE(packed_bytes)(const struct by_rows *p, size_t count);
void CORE(pack)(const struct by_rows *p, void *packed, size_t bytes, size_t at, size_t count);

/* Whether rectangle() takes rows of a transposed A; otherwise they are copied. */
int CORE(takes_transposed)(const struct columns *columns);

/* `count` rows of C at c, of the columns s: the rows of A at a times columns of B. */
void CORE(rectangle)(const struct by_rows *p, struct operand a, size_t count, const struct columns *columns, struct span s,
                     elem *c, size_t ldc);

/* The sums of which C is made, without beta, to rows that are ld elements apart. */
void CORE(sums)(const struct by_rows *p, struct operand a, size_t count, const struct columns *columns, struct span s,
                elem *sums, size_t ld);

/* n elements of a row of C from their sums, which are overwritten. */
void CORE(add_sums)(const struct by_rows *p, elem *c, elem *sums, size_t n);

/* Rows `from` to `to` of C in the columns s, or what is computed of them. */
void CORE(block)(const struct by_rows *p, size_t from, size_t to, const struct columns *columns, struct span s);

#endif
