/* SPDX-License-Identifier: MIT */
/* The arrays of a call, by what the table says of their shape. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "harness.h"
#include "kernels.h"

/* Arguments by their roles: indices into shape->arguments. */
enum { MOST_ARGUMENTS = 24 };
struct arguments {
	const struct isk_kernel *kernel;
	int outs[MOST_ARGUMENTS], ins[MOST_ARGUMENTS], sizes[MOST_ARGUMENTS], strides[MOST_ARGUMENTS],
		values[MOST_ARGUMENTS];
	int out_count, in_count, size_count, stride_count, value_count;
};

struct arguments arguments_of(const struct isk_kernel *k);

static inline const struct isk_argument *argument(const struct isk_kernel *k, int i)
{
	return &k->shape->arguments[i];
}

static inline enum isk_type argument_type(const struct isk_kernel *k, int i)
{
	return isk_argument_type(k, argument(k, i));
}

/* The member of args that is argument i. */
void **pointer_at(const struct isk_kernel *k, union isk_args *args, int i);
size_t *size_at(const struct isk_kernel *k, union isk_args *args, int i);

/* Bytes of array i with the sizes and strides that are in args. */
size_t argument_bytes(const struct isk_kernel *k, union isk_args *args, int i);
/* Whether element e of it, counted as memory is, belongs to one of its rows. */
int is_element(const struct isk_kernel *k, union isk_args *args, int i, size_t e);

/* Where an array lies. */
struct spot {
	enum edge edge;
	size_t offset; /* in bytes */
};

/* Array i into its slot, between guard pages: a copy of data, or poison for an output. */
void argument_put(const struct isk_kernel *k, union isk_args *args, int i, struct spot spot, const void *data);
/* Output i is the very array that input j, which is there already, is. */
void argument_in_place(const struct isk_kernel *k, union isk_args *args, int i, int j);

/* The bits of what the call returned. */
uint64_t result_bits(const struct isk_kernel *k, const union isk_args *args);

/*
 * What the oracle says of all elements of the outputs in args, and of what is
 * returned. Outputs must be arrays of their own; nothing is written to them.
 */
struct answers {
	struct exact *of[MOST_ARGUMENTS]; /* by argument; NULL: no output */
	struct exact result;
};
struct answers answers_of(const struct variant *v, union isk_args *args);
void answers_free(struct answers *answers);

#endif
