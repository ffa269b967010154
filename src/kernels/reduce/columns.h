/* SPDX-License-Identifier: MIT */
/*
 * Reductions of columns in lanes of f32 and of f64, by column.h. ADDER(name, T, column) defines an adder, the function
 * that adds elements of T; the rest of the code is the same for all reductions.
 */
#ifndef ISK_COLUMNS_H
#define ISK_COLUMNS_H

#include "exp_lanes.h"

/*
 * Reductions of the elements x of a column. The sums of x, of x^2 and of |x|; the least and the greatest x, and the greatest
 * |x|; the product. With a centre c: the sums of (x - c)^2 (DEVIATIONS_OF), of (x c)^2 (SCALED_OF) and of exp(x - c).
 */
enum column {
	SUM_OF, SQUARES_OF, SIZES_OF, LEAST_OF, MOST_OF, FARTHEST_OF, PRODUCT_OF, DEVIATIONS_OF, SCALED_OF,
	POWERS_OF
};

/* The function, struct or type `name` for the lanes in which T is computed. */
#define TREE_OF(name, T) ISK_PASTE2(name##_, ISK_VECTOR(T))

#define ROUNDS  ((size_t)32)      /* rows of a block */
#define ROOM    ((size_t)3 << 13) /* bytes of the sums of a panel, which are kept in memory */
#define AT_ONCE ((size_t)8)       /* rows at a time of a large matrix */
#define LARGE   ((size_t)1 << 19) /* bytes from which on a panel is large */
#define BESIDE  ((size_t)8)       /* blocks at a time in a panel of one vector */

/* Half a vector. */
typedef float vf_half __attribute__((vector_size(2 * VL), aligned(1), may_alias));

/* A vector with this lower half; its upper half is anything. */
ISK_INLINE vf vf_from_lower(vf_half low)
{
#if VL == 4
	return __builtin_shufflevector(low, low, 0, 1, -1, -1);
#elif VL == 8
	return __builtin_shufflevector(low, low, 0, 1, 2, 3, -1, -1, -1, -1);
#else
	return __builtin_shufflevector(low, low, 0, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1);
#endif
}

#define TREE vf
#include "column.h"
#define TREE vd
#include "column.h"

#define ADDER(name, T, column)                                                 \
	static __attribute__((noinline)) void name(ISK_VECTOR(T) *s, const char *x, size_t step, size_t rows, size_t sums, \
	                                           size_t apart, size_t second, size_t last, size_t n, int is_first, \
	                                           const ISK_VECTOR(T) *centre)    \
	{                                                                          \
		TREE_OF(add_rows, T)(s, x, step, rows, sums, apart, second, last, n, is_first, centre, column, ISK_ENUM_##T); \
	}

#endif
