/* SPDX-License-Identifier: MIT */
/*
 * A layer of the network that multiplies by a matrix of weights, which has one of several types: fewer bits
 * are read faster and are less exact.
 */
#ifndef DENSE_H
#define DENSE_H

#include <stddef.h>

#include "isakern.h"

enum weights {
	WEIGHTS_F32,
	WEIGHTS_F16,  /* unchanged from the model's file: the same results as f32, to the bit */
	WEIGHTS_BF16, /* activations are rounded to bf16 as well */
	WEIGHTS_INT8, /* weights are scaled by column, activations by row */
	WEIGHTS_TYPES,
};

/* The name for users, and the kernel that does the work. */
struct weights_name {
	const char *name, *kernel;
};
extern const struct weights_name weights_names[WEIGHTS_TYPES];

struct dense {
	enum weights type;
	size_t in, out;
	void *packed;
	float *scale; /* for each column; int8 alone */
	float *bias;
};

/* Takes ownership of bias; weights are `out` rows of `in` numbers. */
struct dense dense_new(enum weights type, const isk_f16 *weights, float *bias, size_t in, size_t out);
void dense_free(struct dense *d);

/* The memory in which dense_apply() works, for a greatest number of rows and width of layers. */
struct dense_space {
	void *narrow; /* x in fewer bits */
	float *scale; /* for each row; int8 alone */
};
struct dense_space dense_space_new(size_t rows, size_t wide);
void dense_space_free(struct dense_space *s);

/* y = act(x * weights + bias), or x * weights + bias + y. */
void dense_apply(const struct dense *d, struct dense_space *s, float *y, const float *x, size_t rows,
                 enum isk_activation act, enum isk_binary binary);

/* isakern's statuses report errors of the program, not of its user. */
void must(int status);

#endif
