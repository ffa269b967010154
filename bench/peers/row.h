/* SPDX-License-Identifier: MIT */
/*
 * The kernels of isakern against Debian's other libraries. A row is a problem with its goals, and its field
 * is all contestants that can compute it. A contestant that computes something else is shown as wrong and not
 * timed.
 */
#ifndef ROW_H
#define ROW_H

#include <stddef.h>
#include <string.h>

#include "cpu.h"
#include "isakern.h"

enum type { F32, BF16, F16, U8, S8, S32, F64 };

size_t type_bytes(enum type type);
const char *type_name(enum type type);
double value_get(enum type type, const void *x, size_t i);
void value_set(enum type type, void *x, size_t i, double value);

/* The operation of a row; all matrices are row-major and dense. */
enum op {
	PRODUCT,        /* C = A * B */
	GROUPED,        /* C = A * B, B with a scale for each group of k and column */
	LINEAR,         /* C = gelu(A * B + bias) + residual */
	CONV,           /* images A, weights B (OIHW); C has m output pixels by n channels, and each sum has k terms */
	CONV_TRANSPOSE, /* of the convolution that conv describes, from its output A to its image C; k as in CONV, many of them 0 */
	TRANSPOSE,      /* C (m by n) = A transposed */
	/* The shapes of isakern.h, on m rows of n elements. */
	MAP,
	ZIP,
	REDUCE,
	REDUCE2,
	INDEX,
	SOFTMAX,
	NORM,
	CVT,
	QUANTIZE,
	DEQUANTIZE,
	COMPARE,
	SELECT,
	COLUMNS, /* one result for each column */
	BAG,     /* m sums of rows with n elements from a table of k rows */
	POOL,    /* m channels of k by k pixels become n by n */
	CELL,    /* n units */
	STEP,    /* n weights */
};

static inline int is_vectors(enum op op)
{
	return op >= MAP;
}

static inline int has_one_result(enum op op)
{
	return op == REDUCE || op == REDUCE2 || op == INDEX;
}

struct goal {
	const char *against; /* "best" (of all peers), "peak", or a contestant's name */
	double ratio;        /* the multiple of its speed that isakern should reach */
	enum machine machine;
	const char *from; /* where the goal was set */
};

enum { MOST_GOALS = 6 };

struct row {
	const char *kernel, *group;
	char
		shape[40]; /* MxNxK, or the input of a convolution, its output channels and its stride, or elements */
	enum op op;
	enum type a, b, c;
	size_t m, n, k;
	struct isk_conv conv;
	struct goal goals[MOST_GOALS]; /* those that hold here, ended by one against nobody */
};

static inline int is_nhwc(const struct row *row)
{
	return strstr(row->kernel, "_nhwc_") != NULL;
}

/* Places of a convolution along an axis, whose last tap is `reach` pixels behind the first. */
static inline size_t conv_places(size_t size, size_t pads, size_t reach, size_t stride)
{
	return (size + pads - reach - 1) / stride + 1;
}

static inline size_t conv_out_height(const struct isk_conv *v)
{
	return conv_places(v->height, v->pad_top + v->pad_bottom, (v->kernel_h - 1) * v->dilation_h, v->stride_h);
}

static inline size_t conv_out_width(const struct isk_conv *v)
{
	return conv_places(v->width, v->pad_left + v->pad_right, (v->kernel_w - 1) * v->dilation_w, v->stride_w);
}

static inline int is_convolution(const struct row *row)
{
	return row->op == CONV || row->op == CONV_TRANSPOSE;
}

/* Whether the products are by isk_matmul_plan(), as libxsmm's are by functions that were made for their sizes. */
static inline int is_planned(const struct row *row)
{
	return strcmp(row->kernel, "matmul_plan_f32") == 0;
}

/* Gets row i of the table. Returns 0 if there is none. */
int row_get(size_t i, struct row *row);
/*
 * Selects the stated goals that hold on this machine: those for this machine before those for any, and always
 * one against the best peer.
 */
void goals_here(const struct goal *stated, struct goal *here);

#endif
