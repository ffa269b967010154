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
#define AT_ONCE ((size_t)8)       /* rows at a time of a large matrix */
#define LARGE   ((size_t)1 << 19) /* bytes from which on a panel is large */
#define BESIDE  ((size_t)8)       /* blocks at a time in a panel of one vector */

/*
 * Bytes of the sums of a panel: those of pending blocks, like the carries of a counter, and at the end the result of all
 * rows. Panels of whole rows may take WHOLE_ROOM.
 */
#define ROOM       ((size_t)3 << 13)
#define WHOLE_ROOM ((size_t)3 << 14)

/*
 * From SHORT_ROW to LONG_ROW bytes, rows of a matrix of FAR bytes or more are read one at a time, as a single stream. Times as
 * fast as AT_ONCE rows at a time in the third-level cache (Zen 5, avx512 and avx2, 1000 by 1000 and 2000 by 500): sums 1.0 to 1.1,
 * minima and maxima 1.1 to 1.4; in the second-level cache (300 by 300 of f64) sums 0.7.
 */
#define SHORT_ROW ((size_t)3 << 9)
#define LONG_ROW  ((size_t)1 << 14)
#define FAR       ((size_t)1 << 21)

enum start {
	EMPTY,     /* the accumulators start empty */
	CONTINUED, /* they keep their sums */
	STREAMED,  /* they keep their sums, and rows are added one at a time */
};

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
	                                           size_t apart, size_t second, size_t last, size_t n, enum start how, \
	                                           const ISK_VECTOR(T) *centre)    \
	{                                                                          \
		TREE_OF(add_rows, T)(s, x, step, rows, sums, apart, second, last, n, how, centre, column, ISK_ENUM_##T); \
	}

#endif
