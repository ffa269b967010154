/* SPDX-License-Identifier: MIT */
/*
 * What to time of a kernel, and what one call of it moves and computes: by what
 * the tables say of its shape alone, so that a kernel of a new one is timed
 * without a word.
 */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "kernels.h"

struct problem {
	union isk_args args;  /* sizes and strides; no array yet */
	struct isk_conv conv; /* where the shape has one */
	const char *counted;  /* what size is a number of */
	double size;     /* what is plotted */
	double elements; /* of the largest array; of a packed one that is read nobody thinks */
	double bytes;    /* read and written at least */
	double flops;    /* of products; 0 elsewhere */
	char label[32];
};

/* The description of a kernel; NULL of one that this program knows too little of to call it. */
const struct isk_kernel *kernel_described(const char *name);

/* The i-th problem of a kernel, smallest first; 0 when it would take more than limit bytes. */
int problem_of(const struct isk_kernel *k, size_t i, double limit, struct problem *p);

/* The same extents for arrays of another kernel, one after the other; its rows without gaps. */
void extents_set(const struct isk_kernel *k, union isk_args *args, const size_t *last, int count);
/* How many elements an array has, as args and conv have it. */
size_t elements_of(const struct isk_kernel *k, union isk_args *args, const struct isk_conv *conv,
                   const struct isk_argument *a);
/* Whether an argument is an extent of arrays, and not, say, the size of a buffer. */
int is_extent(const struct isk_shape *shape, int argument);

/* What people want to know of a shape. */
struct metric {
	const char *name;
	double (*of)(const struct problem *p, double ns);
};

const struct metric *metric_of(const struct isk_shape *shape);

#endif
