/* SPDX-License-Identifier: MIT */
/* Between the functions of partial sums and the variants that compute them. */
#ifndef ISK_PARTIAL_H
#define ISK_PARTIAL_H

#include "isakern/reduce_types.h"
#include "reductions.h"

/* Elements of the longest block, that of a sum of f32. The lengths of all other blocks are powers of two below it. */
#define ISK_LEAST_LENGTH 4096

/* The functions of an ISA and an element type. */
struct isk_partial_functions {
	/* Writes the lines of n elements incx apart; b is NULL if the reduction has one array. */
	void (*lines)(struct isk_partial *y, enum part part, const void *a, const void *b, size_t n, size_t incx);
	/* The sum of all lines over divisor, or the cosine. */
	double (*result)(enum part part, const struct isk_partial *parts, size_t count, size_t divisor);
};

typedef struct isk_partial_functions isk_partial_look_up(void);

#endif
