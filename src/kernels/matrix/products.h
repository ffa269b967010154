/* SPDX-License-Identifier: MIT */
/* The oracles of products and convolutions, an element at a time, for tests that check single elements. */
#ifndef ISK_PRODUCTS_H
#define ISK_PRODUCTS_H

#include "args.h"
#include "isakern/conv_types.h"
#include "isakern/matrix_types.h"

/* A value before it is stored in C. Its error may be scale times eps times the bound of the table row. */
struct isk_value {
	long double v; /* more digits than f64, the type of some C */
	double scale;
};

/*
 * A column of B: its element i is first[i / group * stride + i % group]. If scale_k is not
 * 0, each scale_k elements share a scale, and scales are one panel line apart.
 */
struct isk_column {
	const void *first;
	size_t group, stride;
	size_t scale_k;
	const void *scale;
};

/* The weights, unpacked or packed; the other pointer is NULL. */
struct isk_weights {
	const void *oihw, *packed;
};

/* The type of the sums of a C of this type, and of the arrays of its post. */
static inline enum isk_type isk_post_type(enum isk_type c)
{
	return c == ISK_F64 ? ISK_F64 : ISK_F32;
}

/* Whether an activation needs e^x, which products of f64 do not have. */
static inline int isk_needs_exp(enum isk_activation act)
{
	return act == ISK_ACT_SIGMOID || act == ISK_ACT_TANH || act == ISK_ACT_GELU || act == ISK_ACT_GELU_TANH
	       || act == ISK_ACT_SILU;
}

#ifdef ISK_EXACT
#define ISK_TESTED
#else
#define ISK_TESTED static __attribute__((unused))
#endif

/*
 * One element of C before it is rounded to its type, from its row of A, whose
 * elements are step_a apart, and its column of B; types are those of A, B and C.
 * The scale of its error covers the product and all post-operations.
 */
ISK_TESTED struct isk_value isk_oracle_product(const enum isk_type types[3], const void *a, size_t step_a,
                                               const struct isk_column *b, size_t k, size_t row, size_t col,
                                               const struct isk_post *post);
/* A sum after all post-operations. */
ISK_TESTED struct isk_value isk_oracle_post(struct isk_value sum, enum isk_type c, size_t row, size_t col,
                                            const struct isk_post *post);
/* Output channel o of a pixel (counted through all images), like an element of C. */
ISK_TESTED struct isk_value isk_oracle_convolution(const enum isk_type types[3], const void *x,
                                                   const struct isk_weights *w, const struct isk_conv *conv,
                                                   size_t pixel, size_t o, const struct isk_post *post);
/* The same of the transpose of a convolution, whose y is the image and whose x the output. */
ISK_TESTED struct isk_value isk_oracle_transposed(const enum isk_type types[3], const void *x, const struct isk_weights *w,
                                                  const struct isk_conv *conv, size_t pixel, size_t o,
                                                  const struct isk_post *post);
/* The elements of x and the weights that it multiplies, in this order, to a and b; returns their number. */
ISK_TESTED size_t isk_oracle_transposed_terms(enum isk_type type, void *a, void *b, const void *x, const struct isk_weights *w,
                                              const struct isk_conv *conv, size_t pixel, size_t o);
ISK_TESTED size_t isk_oracle_pixels(const struct isk_conv *conv);
ISK_TESTED struct isk_column isk_oracle_packed_column(const void *packed, size_t col);

/* The status that a call with these arguments must give. */
ISK_TESTED int isk_check_gemm(const enum isk_type types[3], const struct isk_args_gemm *g);
ISK_TESTED int isk_check_matmul(enum isk_type type, const struct isk_args_matmul_batch *g);
ISK_TESTED int isk_check_conv(const enum isk_type types[3], const struct isk_args_conv *c);
ISK_TESTED int isk_check_conv_transpose(const enum isk_type types[3], const struct isk_args_conv_transpose *c);

/* The status and the bytes that packing must give. groups is NULL if weights have no scales. */
typedef int isk_oracle_packing(enum isk_type type, const struct isk_args_pack *p, const struct isk_groups *groups);
ISK_TESTED isk_oracle_packing isk_oracle_pack;
ISK_TESTED int isk_oracle_conv_pack(enum isk_type type, const struct isk_args_conv_pack *p);
ISK_TESTED int isk_oracle_conv_transpose_pack(enum isk_type type, const struct isk_args_transposed_pack *p);

#endif
