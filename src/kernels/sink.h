/* SPDX-License-Identifier: MIT */
/* Where the form of a shape puts the exact results of a call: rounded into its outputs, or as they are. */
#ifndef ISK_SINK_H
#define ISK_SINK_H

#include "isakern/types.h"

struct isk_sink {
	/* Element i of an output, or of the result of the call, is this value; its error is a multiple of scale. */
	void (*put)(struct isk_sink *s, void *y, size_t i, enum isk_type type, long double value, long double scale);
	/* It is just these bits. */
	void (*put_bits)(struct isk_sink *s, void *y, size_t i, enum isk_type type, uint64_t bits);
};

union isk_args;

typedef void isk_form(struct isk_sink *s, union isk_args *args);

/* By the number of a kernel in isk_kernels. */
extern isk_form *const isk_forms[];

#endif
