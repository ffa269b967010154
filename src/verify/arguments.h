/* SPDX-License-Identifier: MIT */
/* The arrays of a call, as the table describes their shape. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "harness.h"
#include "kernels.h"

/* The arguments of a kernel by role: indices into shape->arguments. */
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

/* What tests call the elements of an array are its numbers: both parts of each complex one. */
static inline size_t argument_parts(const struct isk_kernel *k, int i)
{
	return isk_parts(isk_argument_type(k, argument(k, i)));
}

static inline enum isk_type argument_type(const struct isk_kernel *k, int i)
{
	return isk_part_type(isk_argument_type(k, argument(k, i)));
}

/* Argument i in args: a pointer, a size. */
void **pointer_at(const struct isk_kernel *k, union isk_args *args, int i);
size_t *size_at(const struct isk_kernel *k, union isk_args *args, int i);

/* Elements from the first to the last one of array i, in the extents from `level` on. */
size_t argument_span(const struct isk_kernel *k, union isk_args *args, int i, int level);
/* Elements from the beginning of a row, or of a plane, to the next; without a stride the whole array is one row: SIZE_MAX. */
size_t argument_step(const struct isk_kernel *k, union isk_args *args, int i);
/* Bytes of array i, given the sizes and strides in args. */
size_t argument_bytes(const struct isk_kernel *k, union isk_args *args, int i);
/* Whether element e of array i, counted in memory, belongs to one of its rows and not to a gap. */
int is_element(const struct isk_kernel *k, union isk_args *args, int i, size_t e);

/* The place of an array in its slot. */
struct spot {
	enum edge edge;
	size_t offset; /* in bytes */
};

/* Puts array i into its slot, between guard pages: a copy of data, or poison if it is an output. */
void argument_put(const struct isk_kernel *k, union isk_args *args, int i, struct spot spot, const void *data);
/* Lets output i be the array of input j, which has been put. */
void argument_in_place(const struct isk_kernel *k, union isk_args *args, int i, int j);

/* The bits that the call returned. */
uint64_t result_bits(const struct isk_kernel *k, const union isk_args *args);

/*
 * The oracle's answers: all elements of the outputs in args, and the returned value. No two outputs may be
 * one array; the oracle does not write to them.
 */
struct answers {
	struct exact *of[MOST_ARGUMENTS]; /* one for each argument; NULL: not an output */
	struct exact result;
};
struct answers answers_of(const struct variant *v, union isk_args *args);
void answers_free(struct answers *answers);

#endif
