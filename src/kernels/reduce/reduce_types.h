/* SPDX-License-Identifier: MIT */
/* Sums in parts, and exact sums. */
#ifndef ISAKERN_REDUCE_TYPES_H
#define ISAKERN_REDUCE_TYPES_H

#include <stddef.h>
#include <stdint.h>

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

/*
 * Accumulators hold exact sums: of elements, of products of two elements, or of both. They are for sums whose elements are in
 * several threads, processes or machines, and arrive in any order. isk_acc_f32 is for elements of f32, isk_acc_f64 for f64.
 *
 * The sum of an accumulator is an integer of 64-bit words in two's complement, word[0] the lowest. Bit 0 of isk_acc_f32 is
 * worth 2^-298 and that of isk_acc_f64 2^-2148, like the last bit of the least product. 2^64 of the largest products fit.
 * There is one such integer for a sum. Therefore two accumulators of the same terms are equal, bit for bit, whatever the order
 * of the terms was and however they were merged. magic tells the type and the version of this layout.
 */
enum { ISK_ACC_F32_WORDS = 10, ISK_ACC_F64_WORDS = 67 };
/* Bytes of a saved accumulator. */
enum { ISK_ACC_F32_BYTES = 104, ISK_ACC_F64_BYTES = 560 };

struct isk_acc_f32 {
	uint32_t magic;
	uint32_t flags; /* terms that are no numbers: 1 a NaN, 2 an infinity, 4 a negative infinity */
	uint64_t count; /* terms of any kind */
	uint64_t word[ISK_ACC_F32_WORDS];
};

struct isk_acc_f64 {
	uint32_t magic;
	uint32_t flags; /* as in isk_acc_f32 */
	uint64_t count;
	uint64_t word[ISK_ACC_F64_WORDS];
};

/*
 * Each function returns 0 or a negative isk_status, and then nothing is written: ISK_ERR_NULL; ISK_ERR_PACKED if an accumulator
 * is none of this type, for instance because it was not cleared; or ISK_ERR_SIZE if a sum would have 2^64 terms or more.
 *
 * isk_acc_T_clear() makes n accumulators without terms.
 * isk_acc_T_add() adds n elements to one accumulator, and isk_acc_T_add_products() n products a[i] * b[i].
 * isk_acc_T_add_each() adds x[i] to acc[i], for sums of arrays, element by element.
 * isk_acc_T_merge() adds the terms of from[i] to acc[i]. from may be acc.
 *
 * isk_acc_T_to_f32() and isk_acc_T_to_f64() write the sums of n accumulators, rounded once to the nearest number, ties to even.
 * A NaN makes a sum NaN, and so do infinities of both signs. Infinities of one sign make it infinite, as does a sum that
 * rounds to above the range. A sum of 0 is +0, whatever the signs of zeros. A negative sum that is too small for the type is
 * -0.
 *
 * isk_acc_T_mean() writes the sums divided by their counts, rounded once; NaN for a count of 0.
 *
 * isk_acc_T_variance() writes the variances of the elements whose sums and whose sums of squares (products of x and x) n pairs of
 * accumulators hold: the sum of squared distances from the mean, divided by the count minus `less` and rounded once. It is
 * NaN if the count is at most `less`, or if there are terms that are no numbers. ISK_ERR_SIZE: the counts of a pair
 * differ, or are 2^63 or more. ISK_ERR_PACKED: there are no elements with these sums.
 *
 * isk_acc_T_save() writes an accumulator to ISK_ACC_T_BYTES bytes, which are the same on every machine: the struct, its
 * numbers with the lowest byte first, and a check of 8 bytes. isk_acc_T_load() makes an accumulator of such bytes again.
 * It returns ISK_ERR_PACKED if the bytes are fewer, or others, or damaged; ISK_ERR_VERSION if a newer isakern saved
 * them; ISK_ERR_TYPE if the accumulator is of the other type. Any change within 8 bytes is found.
 *
 * A library of some kernels (-Dkernels=) has these functions if it has sum_exact_f64.
 */
int isk_acc_f32_clear(struct isk_acc_f32 *acc, size_t n);
int isk_acc_f32_add(struct isk_acc_f32 *acc, const float *x, size_t n);
int isk_acc_f32_add_products(struct isk_acc_f32 *acc, const float *a, const float *b, size_t n);
int isk_acc_f32_add_each(struct isk_acc_f32 *acc, const float *x, size_t n);
int isk_acc_f32_merge(struct isk_acc_f32 *acc, const struct isk_acc_f32 *from, size_t n);
int isk_acc_f32_to_f32(float *y, const struct isk_acc_f32 *acc, size_t n);
int isk_acc_f32_to_f64(double *y, const struct isk_acc_f32 *acc, size_t n);
int isk_acc_f32_mean(float *y, const struct isk_acc_f32 *acc, size_t n);
int isk_acc_f32_variance(float *y, const struct isk_acc_f32 *sums, const struct isk_acc_f32 *squares, size_t n, uint64_t less);
int isk_acc_f32_save(void *bytes, const struct isk_acc_f32 *acc);
int isk_acc_f32_load(struct isk_acc_f32 *acc, const void *bytes, size_t count);

int isk_acc_f64_clear(struct isk_acc_f64 *acc, size_t n);
int isk_acc_f64_add(struct isk_acc_f64 *acc, const double *x, size_t n);
int isk_acc_f64_add_products(struct isk_acc_f64 *acc, const double *a, const double *b, size_t n);
int isk_acc_f64_add_each(struct isk_acc_f64 *acc, const double *x, size_t n);
int isk_acc_f64_merge(struct isk_acc_f64 *acc, const struct isk_acc_f64 *from, size_t n);
int isk_acc_f64_to_f32(float *y, const struct isk_acc_f64 *acc, size_t n);
int isk_acc_f64_to_f64(double *y, const struct isk_acc_f64 *acc, size_t n);
int isk_acc_f64_mean(double *y, const struct isk_acc_f64 *acc, size_t n);
int isk_acc_f64_variance(double *y, const struct isk_acc_f64 *sums, const struct isk_acc_f64 *squares, size_t n, uint64_t less);
int isk_acc_f64_save(void *bytes, const struct isk_acc_f64 *acc);
int isk_acc_f64_load(struct isk_acc_f64 *acc, const void *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif
