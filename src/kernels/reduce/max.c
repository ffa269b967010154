/* SPDX-License-Identifier: MIT */
/* The largest element, or NaN if an element is NaN. */
#include "max_kernels.h"
#include "sum_tree.h"

#define MAX_OF(kernel, T, ...)                                                 \
	ISK_C_##T ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                     \
	{                                                                          \
		const struct TREE_OF(maximum, T) max = TREE_OF(reduce_max, T)(x, 0, n, ISK_ENUM_##T); \
                                                                               \
		return max.nan ? (ISK_C_##T)__builtin_nan("") : ISK_PASTE2(ISK_VECTOR(T), _fold_max)(max.lanes.v); \
	}

ISK_EACH_max(MAX_OF, )
