/* SPDX-License-Identifier: MIT */
/* Sums in parts. */
#ifndef ISAKERN_REDUCE_TYPES_H
#define ISAKERN_REDUCE_TYPES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The sums of one part of an array, in the order of the kernels. It may be copied and sent to another process or CPU. */
struct isk_partial {
	double line[3][8]; /* for isk_partial_result() alone; only the cosine needs the last two lines */
};

/*
 * Sums of an array whose parts are in several threads, processes or machines: the result has the bits of the kernel's own
 * call for the whole array, whatever the parts and their ISAs are. kernel is sum, mean, asum or sumsq with or without
 * _strided, or dot, l2sq, l1 or cosine, of f32, f64, bf16 or f16: "dot_f32". The parts have the same length, a power of two
 * of 4096 or more elements; the last part of the whole array may be shorter.
 *
 * isk_partial_sums() writes the partial sums of n elements from a, and from b if the kernel takes two arrays, in parts of
 * `length` elements: n / length of them, rounded up. incx is the distance of elements, 1 except for _strided. It returns 0
 * or a negative isk_status, and then nothing is written: ISK_ERR_NULL, ISK_ERR_KERNEL for another kernel, ISK_ERR_SIZE
 * for another length, or ISK_ERR_STRIDE for an incx that the kernel does not take.
 *
 * isk_partial_result() adds `count` partial sums, in the order of the array, and writes the kernel's result for the n
 * elements of the whole array; a result of f32 is exact in a double. It returns 0, ISK_ERR_NULL or ISK_ERR_KERNEL.
 *
 * A library of some kernels (-Dkernels=) has both functions if it has sum_f32.
 */
int isk_partial_sums(struct isk_partial *parts, const char *kernel, const void *a, const void *b, size_t n, size_t incx,
                     size_t length);
int isk_partial_result(double *result, const char *kernel, const struct isk_partial *parts, size_t count, size_t n);

#ifdef __cplusplus
}
#endif

#endif
