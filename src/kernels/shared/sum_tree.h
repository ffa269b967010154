/* SPDX-License-Identifier: MIT */
/* The tree of sum_tree_lanes.h for lanes of f32 (reduce_vf()) and of f64 (reduce_vd()); TREE_OF(reduce, T) is either. */
#ifndef ISK_SUM_TREE_H
#define ISK_SUM_TREE_H

#include "kernel.h"

#define ROUNDS 32
#define LEVELS 55

/* The terms of a sum. SUM: a + b, where b is 4 lines further on in the same array; SQUARE: a^2; DEVIATION:
 * (a - centre)^2; DOT: a * b; L2SQ: (a - b)^2; COSINE: three sums of a * b, a^2 and b^2. */
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

/* The function, struct or type `name` for the lanes in which T is computed. */
#define TREE_OF(name, T) ISK_PASTE2(name##_, ISK_VECTOR(T))

/* Stores a number as element i of y. */
#define PUT_OF(T, y, i, value)                                                 \
	ISK_PASTE2(ISK_VECTOR(T), _store_as)(y, i, TREE_OF_SET1(T)(value), 1, ISK_ENUM_##T)
#define TREE_OF_SET1(T) ISK_PASTE2(ISK_VECTOR(T), _set1)

/*
 * Marks functions for sums of more than a block, whose frame is 11 KiB. They are separate
 * from sums of a block or less because that frame would cost 16 elements a quarter of their
 * time (Zen 3).
 */
#define ISK_LONG __attribute__((noinline))

#endif
