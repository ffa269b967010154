/* SPDX-License-Identifier: MIT */
/* A product with a triangular matrix, or an equation with one, and a block of it. */
#ifndef ISK_BLAS_TRIANGULAR_H
#define ISK_BLAS_TRIANGULAR_H

#include "product.h"

/* Rows of B in a block. It is part of the order that README.md states, so it may not change. */
enum { BLOCK = 64 };

struct triangular {
	struct operand a;
	int unit, solve;
	int below; /* whether a row depends on those of lower number */
	int right; /* A is: B is stored by rows */
	int64_t rows, columns; /* of B */
	elem alpha;
	elem *b;
	int64_t ldb;
};

/* The element of B in row i and column j. */
static inline elem *at_b(const struct triangular *t, int64_t i, int64_t j)
{
	return t->b + (t->right ? i * t->ldb + j : j * t->ldb + i);
}

/* Multiplies or solves `count` <= BLOCK rows from row `first` on as if B had no others. A solution takes an alpha of 1. */
void CORE(triangular_block)(const struct triangular *t, int64_t first, int64_t count);

#endif
