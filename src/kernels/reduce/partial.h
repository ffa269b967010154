/* SPDX-License-Identifier: MIT */
/* Between the functions of partial sums and the variants that compute them. */
#ifndef ISK_PARTIAL_H
#define ISK_PARTIAL_H

#include "isakern/reduce_types.h"

/* What is added: x, |x|, x^2, a * b, (a - b)^2, |a - b|, or three sums for the cosine: a * b, a^2, b^2. */
enum isk_terms {
	ISK_TERMS_X, ISK_TERMS_SIZES, ISK_TERMS_SQUARES, ISK_TERMS_DOT, ISK_TERMS_L2SQ, ISK_TERMS_L1, ISK_TERMS_COSINE
};

/* The functions of an ISA and an element type. */
struct isk_partial_functions {
	/* Writes the lines of n elements incx apart; b is NULL if the terms have one array. */
	void (*lines)(struct isk_partial *y, enum isk_terms terms, const void *a, const void *b, size_t n, size_t incx);
	/* The sum of all lines over divisor, or the cosine. */
	double (*result)(enum isk_terms terms, const struct isk_partial *parts, size_t count, size_t divisor);
};

typedef struct isk_partial_functions isk_partial_look_up(void);

#endif
