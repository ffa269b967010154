/* SPDX-License-Identifier: MIT */
/*
 * The operands of a MatMul. It is numpy's: the last two dimensions are matrices,
 * those before are batches, which are broadcast; a vector is a matrix of one row
 * or column.
 */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "tensor.h"

/* batches matrices of m by k times k by n. */
struct product {
	size_t m, n, k;
	size_t batches;
	size_t *a, *b; /* where each begins */
	struct tensor out;
};

struct product product_of(const struct tensor *a, const struct tensor *b, int type);
/* All but out. */
void product_free(struct product *p);

#endif
