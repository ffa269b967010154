/* SPDX-License-Identifier: MIT */
/* Reductions of two arrays: dot product, squared distance and cosine, in the
 * tree of sum_tree_lanes.h. The cosine reads both arrays only once. */
#include "dot_kernels.h"
#include "sum_tree.h"

#define REDUCE2_OF(kernel, T, term)                                            \
	ISK_LONG static ISK_C_##T long_##kernel(const ISK_C_##T *a, const ISK_C_##T *b, size_t n) \
	{                                                                          \
		TREE_OF(lane, T) sum[MAX_SUMS];                                        \
                                                                               \
		TREE_OF(reduce, T)(sum, a, b, n, 0, term, ISK_ENUM_##T);                  \
		return FINISH_##term(sum);                                             \
	}                                                                          \
                                                                               \
	ISK_LONG static ISK_C_##T block_##kernel(const ISK_C_##T *a, const ISK_C_##T *b, size_t n) \
	{                                                                          \
		TREE_OF(lane, T) sum[MAX_SUMS];                                        \
                                                                               \
		if (n > TREE_OF(block_of, T)(term))                                    \
			return long_##kernel(a, b, n);                                     \
		TREE_OF(reduce_short, T)(sum, a, b, n, term, ISK_ENUM_##T);            \
		return FINISH_##term(sum);                                             \
	}                                                                          \
                                                                               \
	ISK_C_##T ISK_FN(kernel)(const ISK_C_##T *a, const ISK_C_##T *b, size_t n) \
	{                                                                          \
		TREE_OF(lane, T) sum[MAX_SUMS];                                        \
                                                                               \
		if (!TREE_OF(is_few, T)(n, term))                                      \
			return block_##kernel(a, b, n);                                    \
		TREE_OF(reduce_few, T)(sum, a, b, n, term);                            \
		return FINISH_##term(sum);                                             \
	}

#define FINISH_DOT(sum)  (sum)[0]
#define FINISH_L2SQ(sum) (sum)[0]

/* Divides by the product of the norms, because the product of their squares could overflow or vanish. */
#define FINISH_COSINE(sum)                                                     \
	((sum)[1] == 0 || (sum)[2] == 0 ? 0 : (sum)[0] / (SQUARE_ROOT((sum)[1]) * SQUARE_ROOT((sum)[2])))

ISK_EACH_dot(REDUCE2_OF, DOT)
ISK_EACH_l2sq(REDUCE2_OF, L2SQ)
ISK_EACH_cosine(REDUCE2_OF, COSINE)
