/* SPDX-License-Identifier: MIT */
/*
 * The operands of a kernel of vectors or rows, and the ways to compute it: what
 * the benchmark and its modules, some of them C++, have in common.
 */
#ifndef VECTORS_H
#define VECTORS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the quantize kernels are called with. A power of two: by whom values are divided, and by whom
 * multiplied with the reciprocal, makes no difference. */
#define QUANTIZE_SCALE   0.0625f
#define QUANTIZE_ZERO_S8 0
#define QUANTIZE_ZERO_U8 128
#define NORM_EPSILON     1e-5f

struct vectors {
	void *y;                    /* rows by cols, or one value; the index of argmax as a double */
	const void *a, *b;          /* rows by cols; b where a kernel takes two */
	const float *weight, *bias; /* cols, of norms; rmsnorm has no bias */
	size_t rows, cols;          /* one row but for softmax and norms */
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
