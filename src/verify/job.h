/* SPDX-License-Identifier: MIT */
/* Arrays for a call of any shape, and a kernel called on them again and again. */
#ifndef JOB_H
#define JOB_H

#include "problem.h"

struct job;

/* What is in the arrays of a job. */
struct job_values {
	/* So many elements, one after the other: of an input, or of an output as it is before the call; bytes of a packed one. */
	void (*elements)(struct job *job, const struct isk_argument *a, void *x, size_t count);
	/* What follows a product into job->post, which is 0 but for its size; 1: it is to be passed, 0: NULL is. */
	int (*post)(struct job *job);
	/* Bytes by which an array is moved, below 4096 and a multiple of that. */
	size_t (*offset)(size_t multiple);
};

/* A call; what its structs are lies beside it, so that it must stay where it is. */
struct job {
	const struct isk_kernel *kernel;
	union isk_args args;
	struct isk_conv conv;
	struct isk_groups groups;
	struct isk_post post;
	const struct job_values *values;
	size_t group;                        /* of k, that weights have a scale for each of; 0: no groups */
	const struct isk_argument *in_place; /* the input that the first output is; NULL: none */
	unsigned null;                       /* arrays that are NULL, a bit each */
};

/* Begins anew with memory and random numbers: the arrays of jobs before are gone. */
void job_begin(const char *name);
/* Arrays and structs for what is in job: kernel, sizes, strides, values, conv and all from values on. */
void job_place(struct job *job);
/* Both, for a problem to be timed. Values are the same in every run. */
void job_prepare(struct job *job, const struct isk_kernel *kernel, const struct problem *p);

/* One more array, for structs, at a multiple of so many bytes. */
void *job_array(struct job *job, size_t bytes, size_t multiple);
size_t job_size(struct job *job, int argument);
/* Of the output of a kernel that packs. */
size_t job_packed_bytes(struct job *job);

/* Calls fn, a variant of the kernel, so many times: by its thunk, which costs all variants the same nanosecond or two. */
void job_repeat(struct job *job, isk_function fn, size_t times);

#endif
