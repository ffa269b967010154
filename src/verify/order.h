/* SPDX-License-Identifier: MIT */
/* The bits of C if the contract leaves no choice, and the distance of a result from the exact one. */
#ifndef ORDER_H
#define ORDER_H

#include "kernels.h"

/* A row of A or a column of B; for B also the scales of groups of k. */
struct terms {
	enum isk_type type;
	const void *x;
	size_t step;
	size_t scale_k; /* rows that share a scale; 0: no scales */
	const float *scale;
	size_t ldscale;
};

/*
 * Whether the contract leaves no choice of the bits of an element of C: if nothing follows the sum, or only
 * operations that name their result, such as relu. Sets *bits.
 */
int bits_named(const struct variant *v, const struct terms *a, const struct terms *b, size_t k, size_t row, size_t col,
               const struct isk_post *post, uint64_t *bits);
/*
 * The distance of the exact value from the interval of values that round to this result, because C is a value
 * within the bound, rounded to its type. Quantizing divides by the output scale first and rounds the
 * quotient.
 */
double distance(const struct variant *v, uint64_t bits, double exact, const struct isk_post *post);

#endif
