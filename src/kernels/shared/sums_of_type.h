/* SPDX-License-Identifier: MIT */
/*
 * Sums of the lanes of of_type.h, in the tree of sum_tree_lanes.h.
 *
 * line                     64 bytes of lanes in VECTORS vectors, v
 * LINE                     the lanes of a line
 * BLOCK                    the most elements of a block that is summed by lines
 * add_lanes(s)             the sum of the lanes of a line
 * cascade                  sums of blocks: begin() it, push() the sums of all blocks but the last one, and end() with
 *                          the sum of that one, which returns the sum of all
 * row_sum(x, n, c, term)   SUM of x, SQUARE of x, or DEVIATION from c, of n elements
 * root(x)                  the square root of a number
 */
#ifndef ISK_SUMS_OF_TYPE_H
#define ISK_SUMS_OF_TYPE_H

#include "of_type.h"
#include "sum_tree.h"

/* Not inlined: code that several functions share, or that few calls reach. */
#define ISK_APART __attribute__((noinline))

typedef struct TREE_OF(line, ISK_T) line;
typedef struct TREE_OF(cascade, ISK_T) cascade;

enum { LINE = 64 / sizeof(lane), VECTORS = LINE / COUNT, BLOCK = ROUNDS * LINE };

ISK_INLINE lane add_lanes(line s)
{
	return ISK_WORD(fold_add)(s.v);
}

ISK_INLINE void begin(cascade *c)
{
	c->blocks = 0;
	c->depth = 0;
}

ISK_INLINE void push(cascade *c, line s)
{
	TREE_OF(cascade_push, ISK_T)(c, s);
}

ISK_INLINE lane end(cascade *c, line s)
{
	return TREE_OF(cascade_end, ISK_T)(c, s);
}

ISK_INLINE lane row_sum(const elem *x, size_t n, lane centre, const enum term term)
{
	lane sum[MAX_SUMS];

	TREE_OF(reduce, ISK_T)(sum, x, NULL, n, centre, term, TYPE);
	return sum[0];
}

ISK_INLINE lane root(lane x)
{
	return SQUARE_ROOT(x);
}

#endif
