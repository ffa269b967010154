/* SPDX-License-Identifier: MIT */
/*
 * Reductions of each column, in the order of column.h, in stripes of four vectors.
 * The sum of one block is added in the order of its rows, the blocks in pairs. Worst
 * found: sum 0.41, mean 0.46, sumsq 0.51 of 1, all of f64.
 */
#include "reduce_cols_kernels.h"

#define WIDTH 4
#include "columns.h"

#define COLUMNS(kernel, T, column)                                             \
	__attribute__((noinline)) static void all_##kernel(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, \
	                                                   size_t ldx, TREE_OF(lane, T) divisor) \
	{                                                                          \
		TREE_OF(columns, T)((char *)y, (const char *)x, rows, cols, ldx, divisor, column, ISK_ENUM_##T); \
	}                                                                          \
                                                                               \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		all_##kernel(y, x, rows, cols, ldx, 1);                                \
	}
ISK_EACH_sum_cols(COLUMNS, SUM_OF)
ISK_EACH_sumsq_cols(COLUMNS, SQUARES_OF)
ISK_EACH_min_cols(COLUMNS, LEAST_OF)
ISK_EACH_max_cols(COLUMNS, MOST_OF)

#define MEANS(kernel, T, ...)                                                  \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		all_sum_cols_##T(y, x, rows, cols, ldx, (TREE_OF(lane, T))rows);       \
	}
ISK_EACH_mean_cols(MEANS, )
