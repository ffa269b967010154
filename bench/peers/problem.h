/* SPDX-License-Identifier: MIT */
/* The problem of a row: its operands, its result and the check of the result. */
#ifndef PROBLEM_H
#define PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "row.h"
#include "vectors.h"

/* An 8-bit result is the sum divided by this, rounded and saturated. */
enum { OUT_SCALE = 4096 };
/* Rows of B that share scales in a GROUPED product. */
enum { SCALE_GROUP = 32 };

struct problem {
	const struct row *row;
	void *a, *b; /* m by k, k by n */
	float *bias, *residual;
	float *scales; /* of groups of k, by n */
	void *c;       /* the result of all contestants, so that none has better memory */
	struct vectors vectors;
	double result, result_stray; /* of a reduction, and the spread of its partial sums */
	double work;                 /* operations, or bytes read and written, or elements */
};

/* Elements of the operands and of the result. */
struct counts {
	size_t a, b, c;
};

struct counts counts_of(const struct row *row);
/* Returns 0 if this machine lacks the memory for the problem and for packed copies. */
int problem_make(struct problem *p, const struct row *row);
void problem_free(struct problem *p);
/* Spoils the result before a call that is checked. */
void problem_spoil(struct problem *p);
/* Compares samples of c with op in double precision. Returns NULL if they are right, else a sentence. */
const char *problem_check(const struct problem *p, enum op op);

/* The same for problems of vectors. *ulp becomes the largest error, in units in the last place of the result's type. */
void vectors_make(struct problem *p);
void vectors_free(struct problem *p);
/* Element i of a result for which the order of operations is free; *tolerance is the error that a right one may have. */
double result_of(const struct problem *p, size_t i, double *tolerance);
const char *vectors_check(const struct problem *p, const char *kernel, double *ulp);

/* A map whose error exceeds MOST_ULP on one of JUDGED_BY inputs does not count as a peer, at any length. */
enum { MOST_ULP = 4, JUDGED_BY = 65536 };

uint32_t random_next(void);
void random_seed(uint32_t seed);

void *allocate(size_t bytes);

#endif
