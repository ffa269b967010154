/* SPDX-License-Identifier: MIT */
/* The bits of C where the contract leaves no choice, and how far a result is from what it must be. */
#ifndef ORDER_H
#define ORDER_H

#include "kernels.h"

/* A row of A or a column of B: where it begins, a step from one to the next; of B the scales of groups of k. */
struct terms {
	enum isk_type type;
	const void *x;
	size_t step;
	size_t scale_k; /* 0: no scales */
	const float *scale;
	size_t ldscale;
};

/*
 * Whether the contract leaves no choice of the bits of an element of C, and which
 * they are then: where nothing follows the sum, or what does is a choice between two
 * values.
 */
int bits_named(const struct variant *v, const struct terms *a, const struct terms *b, size_t k, size_t row, size_t col,
               const struct isk_post *post, uint64_t *bits);
/*
 * How far the exact value is from those that round to this result: C is a value
 * within the bound, rounded to its type. Quantizing divides by the output scale
 * first, and rounds the quotient.
 */
double distance(const struct variant *v, uint64_t bits, double exact, const struct isk_post *post);

#endif
