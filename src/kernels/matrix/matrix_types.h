/* SPDX-License-Identifier: MIT */
/* What products of matrices are told beside their operands, and what may be asked about packed matrices. */
#ifndef ISAKERN_MATRIX_TYPES_H
#define ISAKERN_MATRIX_TYPES_H

#include <isakern/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which matrices of matmul are stored transposed. */
enum isk_transposed {
	ISK_TRANSPOSED_A = 1,
	ISK_TRANSPOSED_B = 2,
};

/*
 * Bytes that a packed k by n matrix takes, or 0 if that overflows size_t.
 * The buffer may begin anywhere. Panels start 64 bytes into it: align it to 64
 * for speed.
 */
size_t isk_packed_size(enum isk_type type, size_t k, size_t n);

/* Scales of packed weights: one for each column and each group of successive k. */
struct isk_groups {
	size_t size;        /* sizeof(struct isk_groups) */
	size_t group;       /* how many k have one scale: 32, 64 or 128 */
	const float *scale; /* ceil(k / group) rows of n values */
	size_t ldscale;     /* elements from one of these rows to the next */
};

/*
 * Bytes that a packed k by n matrix takes with scales for groups; 0 too where
 * there are none of that type (they are of s8), or for groups of that size.
 */
size_t isk_packed_groups_size(enum isk_type type, size_t k, size_t n, const struct isk_groups *groups);

/*
 * Whether at packed, in a buffer of that many bytes, there is a whole packed
 * matrix of that type: reads header, length and checksum. A packed matrix that
 * comes from outside the program, such as a file, must go through this before a
 * kernel reads it; kernels check the header alone, on each call. Returns 0 or a
 * negative isk_status.
 */
int isk_packed_check(const void *packed, size_t bytes, enum isk_type type);

/* Functions of an element, those of isk_post.act. */
enum isk_activation {
	ISK_ACT_NONE,
	ISK_ACT_RELU,        /* max(x, 0) */
	ISK_ACT_RELU6,       /* min(max(x, 0), 6) */
	ISK_ACT_LEAKY_RELU,  /* x < 0 ? act_a * x : x */
	ISK_ACT_SIGMOID,     /* 1 / (1 + exp(-x)) */
	ISK_ACT_HARDSIGMOID, /* min(max(x / 6 + 0.5, 0), 1) */
	ISK_ACT_TANH,        /* tanh(x) */
	ISK_ACT_HARDTANH,    /* min(max(x, act_a), act_b) */
	ISK_ACT_HARDSWISH,   /* x * hardsigmoid(x) */
	ISK_ACT_GELU,        /* x / 2 * (1 + erf(x / sqrt(2))) */
	ISK_ACT_GELU_TANH,   /* x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) */
	ISK_ACT_SILU,        /* x * sigmoid(x) */
};

/* What isk_post.binary does to an element v of C and that at its place in other. */
enum isk_binary {
	ISK_BINARY_NONE,
	ISK_BINARY_ADD,  /* v + other */
	ISK_BINARY_SUB,  /* v - other */
	ISK_BINARY_MUL,  /* v * other */
	ISK_BINARY_AXPY, /* v + other_scale * other: the beta of BLAS */
};

/*
 * What happens to an element of C between its sum and its store, in this
 * order: zero points, scale times row_scale, bias, activation, binary operation,
 * output scale and zero point. All zero but for size means: nothing. Kernels take
 * NULL for that as well. Arrays by column or row are indexed from the first column
 * or row that the call computes.
 */
struct isk_post {
	size_t size;            /* sizeof(struct isk_post), so that fields can be added */
	size_t first_column;    /* of packed B, a multiple of 16; C[i][0] is that column */
	int32_t a_zero;         /* 8-bit A: the value that stands for 0 */
	const int32_t *b_zero;  /* 8-bit B: likewise, b_zeros values */
	size_t b_zeros;         /* 0: none, 1: one for all columns, n: one a column */
	const float *scale;     /* the sum is multiplied by it: scales values */
	size_t scales;          /* 0: none, 1: one for all columns (alpha), n: one a column */
	const float *bias;      /* n values, or NULL */
	enum isk_activation act;
	float act_a, act_b;     /* of ISK_ACT_LEAKY_RELU and ISK_ACT_HARDTANH */
	enum isk_binary binary;
	const void *other;      /* m by n, of the type of C */
	size_t ldother;         /* elements from one of its rows to the next */
	float other_scale;      /* of ISK_BINARY_AXPY */
	float out_scale;        /* 8-bit C: the scale it is quantized with, as by the quantize kernels */
	int32_t out_zero;       /* 8-bit C: and the zero point */
	const float *row_scale; /* m values, by which scale is multiplied, or NULL */
	const int32_t *row_zero; /* 8-bit A: m values, in place of a_zero, which is 0 then, or NULL */
};

#ifdef __cplusplus
}
#endif

#endif
