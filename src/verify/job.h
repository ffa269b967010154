/* SPDX-License-Identifier: MIT */
/* Arrays for a call of any shape, and repeated calls of a kernel on them. */
#ifndef JOB_H
#define JOB_H

#include "problem.h"

struct job;

/* How the arrays of a job get their values. */
struct job_values {
	/* Fills x with `count` elements of an input, or of an output before the call; with bytes if it is packed. */
	void (*elements)(struct job *job, const struct isk_argument *a, void *x, size_t count);
	/*
	 * Sets the post-operations in job->post, which is 0 except for its size. Returns 1 to pass it and 0 to
	 * pass NULL.
	 */
	int (*post)(struct job *job);
	/* The bytes by which to move an array: a multiple of `multiple` below 4096. */
	size_t (*offset)(size_t multiple);
};

/* A call. args points to the structs beside it, so a job must not be moved. */
struct job {
	const struct isk_kernel *kernel;
	union isk_args args;
	struct isk_conv conv;
	struct isk_groups groups;
	struct isk_post post;
	const struct job_values *values;
	size_t group;                        /* k in a group of weights with scales of its own; 0: no groups */
	const struct isk_argument *in_place; /* the input in whose place the first output is; NULL: none */
	unsigned null;                       /* one bit for each array that is NULL */
};

/* Starts anew with memory and random numbers: the arrays of earlier jobs are gone. */
void job_begin(const char *name);
/* Makes arrays and structs for the members of job: kernel, args, conv and everything from values on. */
void job_place(struct job *job);
/* job_begin() and job_place() for a problem to be timed. Values are the same in every run. */
void job_prepare(struct job *job, const struct isk_kernel *kernel, const struct problem *p);

/* One more array, for structs, at an address that is a multiple of `multiple`. */
void *job_array(struct job *job, size_t bytes, size_t multiple);
size_t job_size(struct job *job, int argument);
/* The bytes of a packing kernel's output. */
size_t job_packed_bytes(struct job *job);

/* Calls fn, a variant of the kernel, `times` times through its thunk, which costs all variants the same 1 to 2 ns. */
void job_repeat(struct job *job, isk_function fn, size_t times);

#endif
