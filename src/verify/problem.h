/* SPDX-License-Identifier: MIT */
/*
 * The problems to time for a kernel, and the bytes and operations of a call. All follows from the table's
 * description of the shape, so that a kernel of a new shape is timed without further code.
 */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "kernels.h"

struct problem {
	union isk_args args;  /* sizes and strides, but no arrays yet */
	struct isk_conv conv; /* if the shape has one */
	const char *counted;  /* the unit of size, in words */
	double size;     /* the horizontal axis of plots */
	double elements; /* of the largest array, but not of a packed input */
	double bytes;    /* the least that is read and written */
	double flops;    /* of products; 0 for other shapes */
	char label[32];
};

/* The description of a kernel; NULL if this program does not know enough of it to call it. */
const struct isk_kernel *kernel_described(const char *name);

/*
 * The i-th problem of a kernel, smallest first. Returns 0 if there is none, or if it would take more than
 * limit bytes.
 */
int problem_of(const struct isk_kernel *k, size_t i, double limit, struct problem *p);

/* Sets the last `count` extents to last[], any others to 1, and all strides to rows without gaps. */
void extents_set(const struct isk_kernel *k, union isk_args *args, const size_t *last, int count);
/* The number of elements of an array, as args and conv give it. */
size_t elements_of(const struct isk_kernel *k, union isk_args *args, const struct isk_conv *conv,
                   const struct isk_argument *a);
/* Whether an argument is an extent of arrays, unlike, say, the size of a buffer. */
int is_extent(const struct isk_shape *shape, int argument);

/* The speed that people compare for a shape. */
struct metric {
	const char *name;
	double (*of)(const struct problem *p, double ns);
};

const struct metric *metric_of(const struct isk_shape *shape);

#endif
