/* SPDX-License-Identifier: MIT */
/*
 * Sums of one array that sum.c does not have, in the tree of sum_tree_lanes.h: sums of
 * 16-bit elements, of elements a stride apart and of sizes; the mean, the product, and
 * the number of elements that are not 0.
 *
 * The bound of the product is n * eps, because it rounds once for each element in any
 * order. Counts of a block are below 2^13, which f32 has exactly. Worst found, in units
 * of the contract: sum 0.30 (f64, n = 3), asum 0.27 (f32, n = 3), mean 0.29 (f32,
 * n = 3), prod 0.48 (f64, n = 3).
 */
#include "sums_kernels.h"
#include "blocks.h"

#define SUM_AND_SIZE(kernel, T, ...)                                           \
	PART_OF(any_sum_##T, T, P_SUM)                                             \
	PART_OF(any_asum_##T, T, P_SIZE)
ISK_EACH_asum(SUM_AND_SIZE, )

ISK_EACH_sum(OF_ARRAY, any_sum)
ISK_EACH_asum(OF_ARRAY, any_asum)
ISK_EACH_sum_strided(OF_STRIDED, any_sum)
ISK_EACH_asum_strided(OF_STRIDED, any_asum)

#define MEAN(kernel, T, ...)                                                   \
	LANE_OF(T) SIBLING(sum, T)(const ISK_C_##T *x, size_t n);                  \
                                                                               \
	LANE_OF(T) ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                    \
	{                                                                          \
		return SIBLING(sum, T)(x, n) / (LANE_OF(T))n;                          \
	}
ISK_EACH_mean(MEAN, )

#define MEAN_STRIDED(kernel, T, ...)                                           \
	LANE_OF(T) ISK_FN(kernel)(const ISK_C_##T *x, size_t n, size_t incx)       \
	{                                                                          \
		return any_sum_##T(x, NULL, n, incx) / (LANE_OF(T))n;                  \
	}
ISK_EACH_mean_strided(MEAN_STRIDED, )

#define PRODUCT(kernel, T, ...)                                                \
	PART_OF(any_prod_##T, T, P_PRODUCT)                                        \
	OF_ARRAY(kernel, T, any_prod)
ISK_EACH_prod(PRODUCT, )
ISK_EACH_prod_strided(OF_STRIDED, any_prod)

#define COUNT_NONZERO(kernel, T, ...)                                          \
	PART_OF(nonzero_##T, T, P_NONZERO)                                         \
                                                                               \
	size_t ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                        \
	{                                                                          \
		const size_t block = TREE_OF(part_block, T)(P_NONZERO);                \
		size_t count = 0;                                                      \
                                                                               \
		for (size_t i = 0; i < n; i += block)                                  \
			count += (size_t)nonzero_##T(x + i, NULL, n - i < block ? n - i : block, 1); \
		return count;                                                          \
	}
ISK_EACH_count_nonzero(COUNT_NONZERO, )
