/* SPDX-License-Identifier: MIT */
/* The arguments of matrix products beside their operands, plans, and functions that describe packed matrices. */
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

/* The argument `conjugated` of complex products is the sum of those of these that apply. */
enum isk_conjugated {
	ISK_CONJUGATED_A = 1,
	ISK_CONJUGATED_B = 2,
};

/*
 * Returns the number of bytes of a packed k by n matrix, or 0 if it overflows size_t.
 * The buffer may begin at any address; align it to 64 for speed, because panels start 64
 * bytes into it.
 */
size_t isk_packed_size(enum isk_type type, size_t k, size_t n);

/* Scales of packed weights: one for each column and each group of successive k. */
struct isk_groups {
	size_t size;        /* sizeof(struct isk_groups) */
	size_t group;       /* number of k that share a scale: 32, 64 or 128 */
	const float *scale; /* ceil(k / group) rows of n values */
	size_t ldscale;     /* elements from one row of scale to the next */
};

/*
 * Returns the number of bytes of a packed k by n matrix with scales for groups of k, or 0 if
 * it overflows size_t, if the type has no scales (only s8 has), or if groups are not of a
 * size listed in struct isk_groups.
 */
size_t isk_packed_groups_size(enum isk_type type, size_t k, size_t n, const struct isk_groups *groups);

/*
 * Checks that a buffer of `bytes` bytes at packed holds a whole packed matrix of this type:
 * its header, length and checksum. A program must check a packed matrix from outside, such
 * as a file, before a kernel reads it, because kernels check the header alone, on each call.
 * Returns 0 or a negative isk_status.
 */
int isk_packed_check(const void *packed, size_t bytes, enum isk_type type);

/* Activation functions of an element x, for isk_post.act. */
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

/* Operations on an element v of C and the element of `other` at the same place, for isk_post.binary. */
enum isk_binary {
	ISK_BINARY_NONE,
	ISK_BINARY_ADD,  /* v + other */
	ISK_BINARY_SUB,  /* v - other */
	ISK_BINARY_MUL,  /* v * other */
	ISK_BINARY_AXPY, /* v + other_scale * other: the beta of BLAS */
};

/*
 * The operations on an element of C between its sum and its store, in this order: zero
 * points, scale times row_scale, bias, activation, binary operation, output scale and zero
 * point. If all fields but size are zero, there is no operation; kernels take NULL for that
 * as well. Arrays by column or row are indexed from the first column or row that the call
 * computes. scale, bias and row_scale are arrays of double if C is f64, else of float; the
 * scalars are rounded to that type.
 */
struct isk_post {
	size_t size;            /* sizeof(struct isk_post), so that fields can be added */
	size_t first_column;    /* the column of packed B that gives C[i][0], a multiple of 16 */
	int32_t a_zero;         /* 8-bit A: the value that stands for 0 */
	const int32_t *b_zero;  /* 8-bit B: the values that stand for 0, b_zeros of them */
	size_t b_zeros;         /* 0: none, 1: one for all columns, n: one a column */
	const void *scale;      /* factors of the sums, scales of them */
	size_t scales;          /* 0: none, 1: one for all columns (alpha), n: one a column */
	const void *bias;       /* n values, or NULL */
	enum isk_activation act;
	double act_a, act_b;    /* of ISK_ACT_LEAKY_RELU and ISK_ACT_HARDTANH */
	enum isk_binary binary;
	const void *other;      /* m by n, of the type of C */
	size_t ldother;         /* elements from one row of other to the next */
	double other_scale;     /* of ISK_BINARY_AXPY */
	float out_scale;        /* 8-bit C: the scale with which C is quantized, as by the quantize kernels */
	int32_t out_zero;       /* 8-bit C: the zero point with which C is quantized */
	const void *row_scale;  /* m values by which scale is multiplied, or NULL */
	const int32_t *row_zero; /* 8-bit A: m zero points of rows in place of a_zero, which must be 0, or NULL */
};

/*
 * A product of unpacked matrices of fixed sizes, for which isk_matmul_plan() chose a function once. It is for products so
 * small that the checks of each call show: of 8x8x8, for example. It holds no memory and no lock, may be copied, and is
 * valid as long as the library is loaded. Any number of threads may use one plan at once.
 */
struct isk_matmul_plan {
	size_t size;                /* sizeof(struct isk_matmul_plan) */
	const char *kernel;         /* "matmul_f32" or "matmul_f64" */
	size_t m, n, k;             /* as the kernel takes them */
	size_t ldc, lda, ldb;
	unsigned transposed;
	const struct isk_post *post; /* of each product, or NULL; it must last as long as the plan */
	/* Written by isk_matmul_plan(). If the caller sets isa or way, it is a demand; NULL leaves the choice to the library. */
	const char *isa;            /* the ISA of the function: "avx2" */
	const char *way;            /* how it multiplies: one of isk_matmul_way() */
	/* Computes C as a call of the kernel does, to the last bit, and returns 0. No pointer may be NULL. */
	int (*multiply)(const struct isk_matmul_plan *plan, void *c, const void *a, const void *b);
	char reason[112];           /* why it was chosen, in one line for people */
};

#ifdef __cplusplus
/* g++ -Wshadow warns because the function has the name of the struct. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/*
 * Chooses the function for the plan's kernel, sizes, strides and post. If the variable ISAKERN_PROFILE names a file that
 * `isakern tune --sizes` wrote on this CPU, and the file has these sizes, it decides; otherwise the rules of the kernel do.
 * Returns 0 or a negative isk_status, and then the plan is as it was: ISK_ERR_NULL if plan is NULL, ISK_ERR_STRUCT if
 * plan.size is not the sizeof of the struct, or if no variant has the demanded ISA and way for these sizes, ISK_ERR_KERNEL
 * if the kernel has no plans, or a status of the kernel for these sizes, strides and post.
 */
int isk_matmul_plan(struct isk_matmul_plan *plan);
#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

/*
 * Name i of the ways in which plans multiply; NULL if there are no more. tile: C is one tile. tiles: C is cut into tiles,
 * which read A and B in place. blocks: the same, then post. copied: tiles read copies of parts of B. columns: vectors hold
 * elements of a column of C.
 */
const char *isk_matmul_way(size_t i);

#ifdef __cplusplus
}
#endif

#endif
