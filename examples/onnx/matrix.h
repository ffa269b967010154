/* SPDX-License-Identifier: MIT */
/* The last two axes of a value as a matrix. */
#ifndef MATRIX_H
#define MATRIX_H

#include "plan.h"

/* Whether the last two axes are a matrix as kernels take it, transposed or not, and its elements from row to row. */
int is_matrix(const struct value *v, int *transposed, size_t *ld);
/* If a Transpose follows, C is written in the order of its output, so that no copy is needed behind it. */
void order_output(const struct graph *g, struct node *n);

#endif
