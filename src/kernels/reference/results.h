/* SPDX-License-Identifier: MIT */
/* Where the form of a shape puts the exact results of a call: rounded into its outputs, or as they are. */
#ifndef ISK_RESULTS_H
#define ISK_RESULTS_H

#include "isakern/types.h"

/* A scale: the error is one in ulp. */
#define ISK_ULP (-1.0L)

struct isk_sink {
	/*
	 * Element i of an output, or of the result of the call, is this value; its error is a multiple of eps *
	 * scale, and where terms underflow there may be that many of the least number of the type beside.
	 */
	void (*put)(struct isk_sink *s, void *y, size_t i, enum isk_type type, long double value, long double scale,
	            size_t underflows);
	/* It is just these bits. */
	void (*put_bits)(struct isk_sink *s, void *y, size_t i, enum isk_type type, uint64_t bits);
};

union isk_args;

typedef void isk_form(struct isk_sink *s, union isk_args *args);

/* By the number of a kernel in isk_kernels. */
extern isk_form *const isk_forms[];

/* Answers of a function of arrays of f32, element by element, for a call with these arguments: by in_bulk.h. */
typedef void isk_bulk(double *restrict answers, const union isk_args *args);

/* By the same number; NULL where there is none. */
extern isk_bulk *const isk_bulks[];

#endif
