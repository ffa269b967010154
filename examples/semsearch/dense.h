/* SPDX-License-Identifier: MIT */
/*
 * A layer of the network that multiplies by a matrix of weights, which are kept
 * as one of several types: fewer bits are read faster and are less exact.
 */
#ifndef DENSE_H
#define DENSE_H

#include <stddef.h>

#include "isakern.h"

enum weights {
	WEIGHTS_F32,
	WEIGHTS_F16,  /* of the model's file, as they are: the same results as f32, to the bit */
	WEIGHTS_BF16, /* and what they are multiplied with is rounded to bf16 as well */
	WEIGHTS_INT8, /* scaled by column; what they are multiplied with, by row */
	WEIGHTS_TYPES,
};

/* What the user calls it, and the kernel that does the work. */
struct weights_name {
	const char *name, *kernel;
};
extern const struct weights_name weights_names[WEIGHTS_TYPES];

struct dense {
	enum weights type;
	size_t in, out;
	void *packed;
	float *scale; /* of each column; int8 alone */
	float *bias;
};

/* Takes over bias; weights are out rows of in numbers. */
struct dense dense_new(enum weights type, const isk_f16 *weights, float *bias, size_t in, size_t out);
void dense_free(struct dense *d);

/* The memory that dense_apply() works in, for up to rows rows of layers up to so wide. */
struct dense_space {
	void *narrow; /* x in fewer bits */
	float *scale; /* of each row; int8 alone */
};
struct dense_space dense_space_new(size_t rows, size_t wide);
void dense_space_free(struct dense_space *s);

/* y = act(x * weights + bias), or x * weights + bias + y. */
void dense_apply(const struct dense *d, struct dense_space *s, float *y, const float *x, size_t rows,
                 enum isk_activation act, enum isk_binary binary);

/* The statuses of isakern are for what a program got wrong, not a user. */
void must(int status);

#endif
