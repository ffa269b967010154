/* SPDX-License-Identifier: MIT */
/*
 * The operands of a kernel of vectors or rows, and the ways to compute it: what
 * the benchmark and its modules, some of them C++, have in common.
 */
#ifndef VECTORS_H
#define VECTORS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the quantize kernels are called with. A power of two: by whom values are divided, and by whom
 * multiplied with the reciprocal, makes no difference. */
#define QUANTIZE_SCALE   0.0625f
#define QUANTIZE_ZERO_S8 0
#define QUANTIZE_ZERO_U8 128
#define NORM_EPSILON     1e-5f

/* Rows in each bag. */
#define BAG_ROWS 32

/* Adam, at its tenth step. */
#define ADAM_RATE    1e-3f
#define ADAM_BETA1   0.9f
#define ADAM_BETA2   0.999f
#define ADAM_EPSILON 1e-8f
#define ADAM_M_SCALE 1.5353394f
#define ADAM_V_SCALE 100.4508f

struct vectors {
	/* rows by cols, or one value, the index of argmax as a double; of sums of columns cols. Of cells c and then h,
	 * of steps p, m and v, each of cols. Of pools rows squares of cols by cols. */
	void *y;
	/* rows by cols; b where a kernel takes two. Of bags a is a table of side rows, of pools squares of side by
	 * side, of cells the input, forget, candidate and output gates, and b the old c; of steps a is the gradient,
	 * and b what y begins with. */
	const void *a, *b;
	const float *weight, *bias; /* cols, of norms; rmsnorm has no bias */
	const uint8_t *mask;        /* cols, of selections */
	const int64_t *index, *starts; /* of bags: numbers of rows of a; where each of rows bags begins, and the end */
	size_t rows, cols, side;
};

struct way {
	const char *kernel; /* of isakern, which it stands beside */
	const char *how;
	void (*call)(void *vectors);
};

/* What a module has: its version, and its ways up to one without a kernel. */
const char *module_version(void);
extern const struct way module_ways[];

#ifdef __cplusplus
}
#endif

#endif
