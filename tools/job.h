/* SPDX-License-Identifier: MIT */
/* Arrays for a problem of any shape, and a kernel called on them again and again. */
#ifndef JOB_H
#define JOB_H

#include "problem.h"

/* A call; what its structs are lies beside it, so that it must stay where it is. */
struct job {
	const struct isk_kernel *kernel;
	union isk_args args;
	struct isk_conv conv;
	struct isk_groups groups;
	struct isk_post post;
};

/* Makes the arrays ready: they are those of the job before. Values are the same in every run. */
void job_prepare(struct job *job, const struct isk_kernel *kernel, const struct problem *p);

/* Calls fn, a variant of the kernel, so many times: by its thunk, which costs all variants the same nanosecond or two. */
void job_repeat(struct job *job, isk_function fn, size_t times);

#endif
