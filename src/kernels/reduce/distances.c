/* SPDX-License-Identifier: MIT */
/*
 * Reductions of two arrays that dot.c does not have: dot product, squared distance and
 * cosine of 16-bit elements, which are those of f32 for the widened elements; the
 * distances L1 and Linf; and the sum of squares, which is the dot product of an
 * array with itself. Worst found: dot and sumsq 0.36 (f64, n = 2), l2sq 0.77 (n = 1),
 * l1 0.43 (f32, n = 2), linf 0.5 ulp, because it rounds once.
 */
#include "distances_kernels.h"
#include "blocks.h"

#define TWO(kernel, T, part)                                                   \
	PART_OF(two_##kernel, T, part)                                             \
                                                                               \
	LANE_OF(T) ISK_FN(kernel)(const ISK_C_##T *a, const ISK_C_##T *b, size_t n) \
	{                                                                          \
		return two_##kernel(a, b, n, 1);                                       \
	}
ISK_EACH_dot(TWO, P_DOT)
ISK_EACH_l2sq(TWO, P_L2SQ)
ISK_EACH_l1(TWO, P_L1)
ISK_EACH_linf(TWO, P_FARTHEST)

/* Divides as dot.c does. */
#define COSINE_OF(kernel, T, ...)                                              \
	LINES_OF(lines_##kernel, T, P_COSINE)                                      \
                                                                               \
	LANE_OF(T) ISK_FN(kernel)(const ISK_C_##T *a, const ISK_C_##T *b, size_t n) \
	{                                                                          \
		LANE_OF(T) s[MAX_SUMS];                                                \
                                                                               \
		TREE_OF(part_all, T)(s, lines_##kernel, a, b, n, 1, 1, P_COSINE, ISK_ENUM_##T); \
		return s[1] == 0 || s[2] == 0 ? 0 : s[0] / (SQUARE_ROOT(s[1]) * SQUARE_ROOT(s[2])); \
	}
ISK_EACH_cosine(COSINE_OF, )

#define SUMSQ(kernel, T, ...)                                                  \
	LANE_OF(T) SIBLING(dot, T)(const ISK_C_##T *a, const ISK_C_##T *b, size_t n); \
                                                                               \
	LANE_OF(T) ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                    \
	{                                                                          \
		return SIBLING(dot, T)(x, x, n);                                       \
	}
ISK_EACH_sumsq(SUMSQ, )

/* With a centre of 1, P_SCALED is the sum of squares. */
#define SUMSQ_STRIDED(kernel, T, ...)                                          \
	PART_OF(squares_##T, T, P_SCALED)                                          \
	OF_STRIDED(kernel, T, squares)
ISK_EACH_sumsq_strided(SUMSQ_STRIDED, )
