/* SPDX-License-Identifier: MIT */
/*
 * The operands of a MatMul, by numpy's rules: the last two dimensions are matrices, those before are batches,
 * which are broadcast; a vector is a matrix of one row or column.
 */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "tensor.h"

/* `batches` products of m by k times k by n. */
struct product {
	size_t m, n, k;
	size_t batches;
	size_t *a, *b; /* the index at which each matrix begins */
	struct tensor out;
};

struct product product_of(const struct tensor *a, const struct tensor *b, int type);
/* Frees everything except out. */
void product_free(struct product *p);

#endif
