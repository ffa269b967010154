/* SPDX-License-Identifier: MIT */
/* The tree of sum_tree_lanes.h for lanes of f32, reduce_vf() and the like, and of f64: TREE_OF(reduce, T) is either. */
#ifndef ISK_SUM_TREE_H
#define ISK_SUM_TREE_H

#include "kernel.h"

#define ROUNDS 32

/* What is summed: SUM a + b, where b is 4 lines on in the same array, SQUARE a^2,
 * DEVIATION (a - centre)^2, DOT a * b, L2SQ (a - b)^2; COSINE is three sums: a * b,
 * a^2 and b^2. */
enum term { SUM, SQUARE, DEVIATION, DOT, L2SQ, COSINE };

#define MAX_SUMS 3

ISK_INLINE int sums_of(const enum term term)
{
	return term == COSINE ? 3 : 1;
}

#define TREE      vf
#define TREE_MASK vm
#include "sum_tree_lanes.h"

#define TREE      vd
#define TREE_MASK vmd
#include "sum_tree_lanes.h"

#define SQUARE_ROOT(x) _Generic((x), float: __builtin_sqrtf(x), double: __builtin_sqrt(x))

/* The function, struct or type of that name for what a type is computed in. */
#define TREE_OF(name, T) ISK_PASTE2(name##_, ISK_VECTOR(T))

/* A number becomes element i of y. */
#define PUT_OF(T, y, i, value)                                                 \
	ISK_PASTE2(ISK_VECTOR(T), _store_as)(y, i, TREE_OF_SET1(T)(value), 1, ISK_ENUM_##T)
#define TREE_OF_SET1(T) ISK_PASTE2(ISK_VECTOR(T), _set1)

/*
 * For sums of more than a block, whose frame of 11 KiB would cost 16 elements a
 * quarter of their time (Zen 3): they stand apart from those of a block or less.
 */
#define ISK_LONG __attribute__((noinline))

#endif
