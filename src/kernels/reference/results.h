/* SPDX-License-Identifier: MIT */
/* The sink into which the form of a shape puts the exact results of a call; it rounds them into outputs or keeps them. */
#ifndef ISK_RESULTS_H
#define ISK_RESULTS_H

#include "isakern/types.h"

/* A scale that says that the error is in ulp. */
#define ISK_ULP (-1.0L)

struct isk_sink {
	/*
	 * Element i of the output y, or of the result of the call, is this value. Its error is counted in units of eps *
	 * scale; if terms underflow, up to `underflows` times the least number of the type is added to it.
	 */
	void (*put)(struct isk_sink *s, void *y, size_t i, enum isk_type type, long double value, long double scale,
	            size_t underflows);
	/* Element i of the output y must have exactly these bits. */
	void (*put_bits)(struct isk_sink *s, void *y, size_t i, enum isk_type type, uint64_t bits);
};

union isk_args;

typedef void isk_form(struct isk_sink *s, union isk_args *args);

/* Indexed by the number of a kernel in isk_kernels. */
extern isk_form *const isk_forms[];

/* The answers of in_bulk.h for a function of arrays of f32, an answer for each element of a call with these arguments. */
typedef void isk_bulk(double *restrict answers, const union isk_args *args);

/* Indexed by the same number; NULL if the kernel is no such function. */
extern isk_bulk *const isk_bulks[];

#endif
