/* SPDX-License-Identifier: MIT */
/*
 * What every kernel computes, told a second time: plainly, in double precision,
 * with libm. All variants of a kernel are one source, so that they agree says
 * nothing about it; tests measure them against these. reference.c rounds the
 * same into the plain form that users can call.
 *
 * An oracle that bounds an error gives *scale with its answer: the sum of
 * |terms|, or what else the contract of the shape in isakern.h multiplies the
 * bound of the row and eps with.
 */
#ifndef ISK_ORACLE_H
#define ISK_ORACLE_H

#include "isakern.h"
#include "isk_tables.h"

/* How often a term of a sum of n is rounded at most: depth(n) of isakern.h. */
double isk_depth(size_t n);

/* What the oracle of a row-wise kernel knows of a row. */
struct isk_row_stats {
	double centre; /* what is subtracted from each element */
	double factor; /* what the difference, or its exponential, is multiplied by */
	double reach;  /* the largest |element| times factor, where something is subtracted */
	double depth;  /* isk_depth() of the row */
};

#define X(k, T) double isk_oracle_##k(double x);
ISK_KERNELS_map(X)
#undef X
#define X(k, T) double isk_oracle_##k(double a, double b);
ISK_KERNELS_zip(X)
#undef X
#define X(k, F, T) ISK_C_##T isk_oracle_##k(ISK_C_##F x);
ISK_KERNELS_cvt(X)
#undef X
#define X(k, F, T) ISK_C_##T isk_oracle_##k(ISK_C_##F x, float scale, int32_t zero);
ISK_KERNELS_quantize(X)
ISK_KERNELS_dequantize(X)
#undef X
#define X(k, T) double isk_oracle_##k(const ISK_C_##T *x, size_t n, double *scale);
ISK_KERNELS_reduce(X)
#undef X
#define X(k, T) double isk_oracle_##k(const ISK_C_##T *a, const ISK_C_##T *b, size_t n, double *scale);
ISK_KERNELS_reduce2(X)
#undef X
#define X(k, T) size_t isk_oracle_##k(const ISK_C_##T *x, size_t n);
ISK_KERNELS_index(X)
#undef X
/* A row first, then each of its elements. */
#define X(k, T)                                                                \
	struct isk_row_stats isk_oracle_row_##k(const ISK_C_##T *x, size_t cols);  \
	double isk_oracle_##k(const struct isk_row_stats *row, double x, double *scale);
ISK_KERNELS_softmax(X)
#undef X
#define X(k, T)                                                                \
	struct isk_row_stats isk_oracle_row_##k(const ISK_C_##T *x, size_t cols, double epsilon); \
	double isk_oracle_##k(const struct isk_row_stats *row, double x, double weight, double bias, \
	                      double *scale);
ISK_KERNELS_norm(X)
#undef X
/* One column, its elements ldx apart. */
#define X(k, T) double isk_oracle_##k(const ISK_C_##T *x, size_t rows, size_t ldx, double *scale);
ISK_KERNELS_pool(X)
#undef X
/* Which element of x is element i of row j of y. */
#define X(k, T) size_t isk_oracle_##k(size_t j, size_t i, size_t ldx);
ISK_KERNELS_transpose(X)
#undef X
/* Which element of an image of x is element i of that of y. */
#define X(k, T) size_t isk_oracle_##k(size_t i, size_t channels, size_t pixels);
ISK_KERNELS_images(X)
#undef X
/* The matrix kernels are in oracle_gemm.c and oracle_matmul.c. */
#define X(k, T) __typeof(isk_##k) isk_oracle_##k;
ISK_KERNELS_pack(X)
#undef X
/*
 * The elements of matrix kernels: A, B and C of a kernel's name. Each rounds a
 * value to nearest, an 8-bit one as the output scale and zero point say.
 */
enum isk_element { ISK_E_f32, ISK_E_bf16, ISK_E_f16, ISK_E_s8, ISK_E_u8, ISK_E_s32 };

#define ISK_ROUND(T) ISK_C_##T isk_oracle_round_##T(double value, const struct isk_post *post);
ISK_ROUND(f32)
ISK_ROUND(bf16)
ISK_ROUND(f16)
ISK_ROUND(s8)
ISK_ROUND(u8)
ISK_ROUND(s32)
#undef ISK_ROUND

/* A value on its way into C, and what eps and the bound of the row are multiplied by for its error. */
struct isk_value {
	double v, scale;
};

/* The sum of a[i * step_a] * b[i * step_b]. */
struct isk_value isk_oracle_terms_f32(const float *a, size_t step_a, const float *b, size_t step_b, size_t k);

/* A column of B: its element i is first[i / group * stride + i % group]. */
struct isk_column {
	const void *first;
	size_t group, stride;
};

/*
 * One element of C before it is rounded to its type, from its row of A and its
 * column of B. *scale holds for the product and all post-operations together.
 * Then the status that a call with these arguments must give.
 */
#define X(k, A, B, C)                                                          \
	double isk_oracle_##k(const ISK_C_##A *a, const struct isk_column *b, size_t depth, size_t row, \
	                      size_t col, const struct isk_post *post, double *scale); \
	__typeof(isk_##k) isk_oracle_check_##k;
ISK_KERNELS_gemm(X)
#undef X
/*
 * Likewise, the elements of the row of A and of the column of B step_a and step_b
 * apart. In oracle_matmul.c.
 */
#define X(k, T)                                                                \
	double isk_oracle_##k(const ISK_C_##T *a, size_t step_a, const ISK_C_##T *b, size_t step_b, \
	                      size_t depth, size_t row, size_t col, const struct isk_post *post, double *scale); \
	__typeof(isk_##k) isk_oracle_check_##k;
ISK_KERNELS_matmul(X)
ISK_KERNELS_matmul_batch(X)
#undef X
/* Weights as they were given, or packed; the other is NULL. */
struct isk_weights {
	const void *oihw, *packed;
};

#define X(k, T) __typeof(isk_##k) isk_oracle_##k;
ISK_KERNELS_conv_pack(X)
#undef X
/*
 * Output o of a pixel, counted through all images: as an element of C. In
 * oracle_conv.c, as all of convolutions.
 */
#define X(k, A, B, C)                                                          \
	double isk_oracle_##k(const ISK_C_##A *x, const struct isk_weights *w, const struct isk_conv *conv, \
	                      size_t pixel, size_t o, const struct isk_post *post, double *scale); \
	__typeof(isk_##k) isk_oracle_check_##k;
ISK_KERNELS_conv(X)
#undef X
size_t isk_oracle_conv_pixels(const struct isk_conv *conv);
/* Both halves of post-operations, for every shape that has them: what becomes of a sum, and the status. */
struct isk_value isk_oracle_post(struct isk_value sum, enum isk_element c, size_t row, size_t col,
                                 const struct isk_post *post);
int isk_oracle_post_check(enum isk_element a, enum isk_element b, enum isk_element c, size_t m, size_t n,
                          size_t k, const struct isk_post *post);
/* Whether so many rows cannot be counted in bytes. */
static inline int isk_too_large(size_t rows, size_t stride, size_t element)
{
	size_t bytes;

	return __builtin_mul_overflow(rows, stride, &bytes) || __builtin_mul_overflow(bytes, element, &bytes);
}

struct isk_column isk_oracle_packed_column(const void *packed, size_t col);

#endif
