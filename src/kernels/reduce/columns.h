/* SPDX-License-Identifier: MIT */
/*
 * Reductions of columns in lanes of f32 and of f64: column.h. What is done to the elements of a type is a function, an
 * adder, by ADDER(name, T, column); the rest of the code is the same for all.
 */
#ifndef ISK_COLUMNS_H
#define ISK_COLUMNS_H

#include "sum_tree.h"

#include "exp_lanes.h"

/* The sum, that of squares, of sizes |e|; the least, the most, the most in size; the product; with a centre c the sums of
 * (e - c)^2, of (e c)^2 and of e^(e - c). */
enum column {
	SUM_OF, SQUARES_OF, SIZES_OF, LEAST_OF, MOST_OF, FARTHEST_OF, PRODUCT_OF, DEVIATIONS_OF, SCALED_OF,
	POWERS_OF
};

/*
 * Bytes of the sums that are kept in memory, rows that they are added to at a time where the matrix is large, how many
 * bytes that is, and blocks of rows beside each other.
 */
#define ROOM    ((size_t)3 << 13)
#define AT_ONCE ((size_t)8)
#define LARGE   ((size_t)1 << 19)
#define BESIDE  ((size_t)8)

/* The lower half of a vector, and zeros. */
ISK_INLINE vf vf_load_lower(const void *p)
{
	typedef float half __attribute__((vector_size(2 * VL), aligned(1), may_alias));
	const half low = *(const half *)p, none = {0};

#if VL == 4
	return __builtin_shufflevector(low, none, 0, 1, 2, 3);
#elif VL == 8
	return __builtin_shufflevector(low, none, 0, 1, 2, 3, 4, 5, 6, 7);
#else
	return __builtin_shufflevector(low, none, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

#define TREE vf
#include "column.h"
#define TREE vd
#include "column.h"

#define ADDER(name, T, column)                                                 \
	static __attribute__((noinline)) void name(ISK_VECTOR(T) *s, const char *x, size_t step, size_t rows, size_t sums, \
	                                           size_t apart, size_t last, size_t n, int is_first, \
	                                           const ISK_VECTOR(T) *centre)    \
	{                                                                          \
		TREE_OF(add_rows, T)(s, x, step, rows, sums, apart, last, n, is_first, centre, column, ISK_ENUM_##T); \
	}

#endif
