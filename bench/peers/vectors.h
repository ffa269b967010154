/* SPDX-License-Identifier: MIT */
/*
 * The operands of a kernel of vectors or rows, and the ways to compute it, shared by the benchmark and its
 * modules, some of which are C++.
 */
#ifndef VECTORS_H
#define VECTORS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The parameters of the quantize kernels. The scale is a power of two, so that division and multiplication
 * with the reciprocal give the same.
 */
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
	/*
	 * rows by cols; one value (for argmax the index as a double); cols for sums of columns; c and then h for
	 * cells, p, m and v for steps, each of cols; rows squares of cols by cols for pools.
	 */
	void *y;
	/*
	 * rows by cols; b if a kernel takes two inputs. For bags a is a table of `side` rows, for pools squares
	 * of side by side, for cells the input, forget, candidate and output gates, and b the old c. For steps a
	 * is the gradient, and b the initial state.
	 */
	const void *a, *b;
	const float *weight, *bias; /* cols, for norms; rmsnorm has no bias */
	const uint8_t *mask;        /* cols, for selections */
	const int64_t *index, *starts; /* for bags: row numbers of a; the beginning of each of `rows` bags, and the end */
	size_t rows, cols, side;
};

struct way {
	const char *kernel; /* the kernel of isakern to which it is compared */
	const char *how;
	void (*call)(void *vectors);
};

/* A module's interface: its version, and its ways, ended by one without a kernel. */
const char *module_version(void);
extern const struct way module_ways[];

#ifdef __cplusplus
}
#endif

#endif
