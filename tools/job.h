/* SPDX-License-Identifier: MIT */
/* Arrays for a problem of any shape, and a kernel called on them again and again. */
#ifndef JOB_H
#define JOB_H

#include "kernels.h"
#include "shapes.h"

struct job {
	void *y;
	const void *x[3];
	size_t n, cols, depth, packed_bytes;
	struct isk_conv conv;
	struct isk_post post; /* of a gemm or a conv */
	float scale;
	int32_t zero;
};

/* Calls fn, a variant of the kernel, so many times; NULL for a kernel whose shape is not known here. */
typedef void (*repeat)(function fn, const struct job *job, size_t times);
repeat repeat_of(const char *kernel);

/*
 * Makes the arrays ready; they are kept from job to job, and their contents for
 * as long as the kernel is the same. bytes is what the largest problem takes.
 */
void job_prepare(struct job *job, const struct kernel *kernel, const char *shape, const struct problem *p,
                 size_t bytes);

#endif
