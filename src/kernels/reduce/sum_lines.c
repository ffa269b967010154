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

static void lines_of(struct isk_partial *y, enum isk_terms terms, const void *a, const void *b, size_t n, size_t incx)
{
	line s[MAX_SUMS];

	switch (terms) {
	case ISK_TERMS_X:
		part_whole(s, lines_of_x, a, NULL, n, incx, 1, P_SUM);
		break;
	case ISK_TERMS_SIZES:
		part_whole(s, lines_of_sizes, a, NULL, n, incx, 1, P_SIZE);
		break;
	case ISK_TERMS_SQUARES:
		part_whole(s, lines_of_squares, a, NULL, n, incx, 1, P_SCALED);
		break;
	case ISK_TERMS_DOT:
		part_whole(s, lines_of_dot, a, b, n, 1, 1, P_DOT);
		break;
	case ISK_TERMS_L2SQ:
		part_whole(s, lines_of_l2sq, a, b, n, 1, 1, P_L2SQ);
		break;
	case ISK_TERMS_L1:
		part_whole(s, lines_of_l1, a, b, n, 1, 1, P_L1);
		break;
	case ISK_TERMS_COSINE:
		part_whole(s, lines_of_cosine, a, b, n, 1, 1, P_COSINE);
		break;
	}
	__builtin_memcpy(y->line, s, sizeof(line) * (terms == ISK_TERMS_COSINE ? 3 : 1));
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

static double result_of(enum isk_terms terms, const struct isk_partial *parts, size_t count, size_t divisor)
{
	lane sum[MAX_SUMS];

	for (int i = 0; i < (terms == ISK_TERMS_COSINE ? 3 : 1); i++)
		sum[i] = total(parts, count, i);
	return (double)(terms == ISK_TERMS_COSINE ? cosine_of(sum) : sum[0] / (lane)divisor);
}

ISK_EXTERN isk_partial_look_up KERNEL(partial);

struct isk_partial_functions KERNEL(partial)(void)
{
	return (struct isk_partial_functions){lines_of, result_of};
}
