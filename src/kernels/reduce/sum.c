/* SPDX-License-Identifier: MIT */
/* The sum of the elements, in the tree of sum_tree_lanes.h, with rounds of 8 lines. */
#include "sum_kernels.h"
#include "sum_tree.h"

#define SUM_OF(kernel, T, ...)                                                 \
	ISK_LONG static ISK_C_##T long_##kernel(const ISK_C_##T *x, size_t n)      \
	{                                                                          \
		TREE_OF(lane, T) sum[MAX_SUMS];                                        \
                                                                               \
		TREE_OF(reduce, T)(sum, x, NULL, n, 0, SUM, ISK_ENUM_##T);                \
		return sum[0];                                                         \
	}                                                                          \
                                                                               \
	ISK_LONG static ISK_C_##T block_##kernel(const ISK_C_##T *x, size_t n)     \
	{                                                                          \
		TREE_OF(lane, T) sum[MAX_SUMS];                                        \
                                                                               \
		if (n > TREE_OF(block_of, T)(SUM))                                     \
			return long_##kernel(x, n);                                        \
		TREE_OF(reduce_short, T)(sum, x, NULL, n, SUM, ISK_ENUM_##T);          \
		return sum[0];                                                         \
	}                                                                          \
                                                                               \
	ISK_C_##T ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                     \
	{                                                                          \
		TREE_OF(lane, T) sum[MAX_SUMS];                                        \
                                                                               \
		if (!TREE_OF(is_few, T)(n, SUM))                                       \
			return block_##kernel(x, n);                                       \
		TREE_OF(reduce_few, T)(sum, x, NULL, n, SUM);                          \
		return sum[0];                                                         \
	}

ISK_EACH_sum(SUM_OF, )
