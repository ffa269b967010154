/* SPDX-License-Identifier: MIT */
/*
 * The lines of sum_tree.h for parts of an array, and their sum. The length of a part is a power of two of blocks, so its
 * line is one that the sum of the whole array has on the way, that of a bit of the counter of blocks. The lines of parts
 * are added as those of blocks are there.
 */
#include "part.h"
#include "of_type.h"
#include "blocks.h"
#include "partial.h"

LINES_OF(lines_of_x, P_SUM)
LINES_OF(lines_of_sizes, P_SIZE)
LINES_OF(lines_of_squares, P_SCALED)
LINES_OF(lines_of_dot, P_DOT)
LINES_OF(lines_of_l2sq, P_L2SQ)
LINES_OF(lines_of_l1, P_L1)
LINES_OF(lines_of_cosine, P_COSINE)

/* The function that reduces a block to lines. */
static to_lines *to_lines_of(enum part part)
{
	switch (part) {
	case P_SUM:
		return lines_of_x;
	case P_SIZE:
		return lines_of_sizes;
	case P_SCALED:
		return lines_of_squares;
	case P_DOT:
		return lines_of_dot;
	case P_L2SQ:
		return lines_of_l2sq;
	case P_L1:
		return lines_of_l1;
	default:
		return lines_of_cosine;
	}
}

static void lines_of(struct isk_partial *y, enum part part, const void *a, const void *b, size_t n, size_t incx)
{
	line s[MAX_SUMS];

	part_long(s, to_lines_of(part), part_sums(part), part_block(part), a, b, n, incx, 1);
	__builtin_memcpy(y->line, s, sizeof(line) * (size_t)part_sums(part));
}

/* The sum of line number `which` of all parts. */
static lane total(const struct isk_partial *parts, size_t count, int which)
{
	cascade c;
	line l = {{splat(0)}};

	begin(&c);
	for (size_t i = 0; i < count; i++) {
		__builtin_memcpy(&l, parts[i].line[which], sizeof(l));
		if (i + 1 < count)
			push(&c, l);
	}
	return end(&c, l);
}

static double result_of(enum part part, const struct isk_partial *parts, size_t count, size_t divisor)
{
	lane sum[MAX_SUMS];

	for (int i = 0; i < part_sums(part); i++)
		sum[i] = total(parts, count, i);
	return (double)(part == P_COSINE ? cosine_of(sum) : sum[0] / (lane)divisor);
}

ISK_EXTERN isk_partial_look_up KERNEL(partial);

struct isk_partial_functions KERNEL(partial)(void)
{
	return (struct isk_partial_functions){lines_of, result_of};
}
