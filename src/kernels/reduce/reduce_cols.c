/* SPDX-License-Identifier: MIT */
/*
 * Reductions of each column, in the order of column.h: the rows of a block in turn, the
 * blocks in pairs. Worst found: sum 0.41, mean 0.46, sumsq 0.51, prod 0.57, all of f64, and
 * variance 0.74 of 1. Distances are taken from a mean that is off by at most
 * eps * depth(rows) * mean |x|; the bound of the variance includes the square of this.
 */
#include "reduce_cols_kernels.h"

#include "columns.h"

#define ALL_OF(kernel, T, column)                                              \
	ADDER(add_##kernel, T, column)                                             \
	__attribute__((noinline)) static void all_##kernel(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, \
	                                                   size_t ldx, TREE_OF(lane, T) divisor) \
	{                                                                          \
		TREE_OF(columns, T)((char *)y, (const char *)x, rows, cols, ldx, divisor, add_##kernel, column, \
		                    ISK_ENUM_##T);                                     \
	}

#define COLUMNS(kernel, T, column)                                             \
	ALL_OF(kernel, T, column)                                                  \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		all_##kernel(y, x, rows, cols, ldx, 1);                                \
	}
ISK_EACH_sum_cols(COLUMNS, SUM_OF)
ISK_EACH_sumsq_cols(COLUMNS, SQUARES_OF)
ISK_EACH_asum_cols(COLUMNS, SIZES_OF)
ISK_EACH_prod_cols(COLUMNS, PRODUCT_OF)
ISK_EACH_min_cols(COLUMNS, LEAST_OF)
ISK_EACH_max_cols(COLUMNS, MOST_OF)

#define MEANS(kernel, T, ...)                                                  \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		all_sum_cols_##T(y, x, rows, cols, ldx, (TREE_OF(lane, T))rows);       \
	}
ISK_EACH_mean_cols(MEANS, )

#define MINMAX(kernel, T, ...)                                                 \
	void ISK_FN(kernel)(ISK_C_##T *low, ISK_C_##T *high, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		all_min_cols_##T(low, x, rows, cols, ldx, 1);                          \
		all_max_cols_##T(high, x, rows, cols, ldx, 1);                         \
	}
ISK_EACH_minmax_cols(MINMAX, )

/* The mean and the sum of squared distances, which each kernel divides by its own divisor. */
#define MOMENTS_AS(kernel, F, T, ...)                                          \
	__attribute__((noinline)) static void moments_##F##_##T(ISK_C_##T *mean, ISK_C_##T *variance, const ISK_C_##F *x, \
	                                                        size_t rows, size_t cols, size_t ldx, TREE_OF(lane, F) divisor) \
	{                                                                          \
		TREE_OF(moments_of_columns, F)((char *)mean, (char *)variance, (const char *)x, rows, cols, ldx, divisor, \
		                               add_sum_cols_##F, add_deviations_##F, ISK_ENUM_##F, ISK_ENUM_##T); \
	}
#define MOMENTS(kernel, T, ...)                                                \
	ADDER(add_deviations_##T, T, DEVIATIONS_OF)                                \
	MOMENTS_AS(kernel, T, T)
ISK_EACH_meanvar_cols(MOMENTS, )
ISK_EACH_meanm2_wide_cols(MOMENTS_AS, )

#define VARIANCES(kernel, T, divisor) VARIANCES_AS(kernel, T, T, divisor)
#define VARIANCES_AS(kernel, F, T, divisor)                                    \
	void ISK_FN(kernel)(ISK_C_##T *mean, ISK_C_##T *variance, const ISK_C_##F *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		const TREE_OF(lane, F) count = (TREE_OF(lane, F))rows;                 \
                                                                               \
		(void)count;                                                           \
		moments_##F##_##T(mean, variance, x, rows, cols, ldx, divisor);        \
	}
ISK_EACH_meanvar_cols(VARIANCES, count)
/* Without elements, the variance is 0 / 0. */
ISK_EACH_meanvar_unbiased_cols(VARIANCES, count - (rows > 0))
ISK_EACH_meanm2_cols(VARIANCES, 1)
ISK_EACH_meanm2_wide_cols(VARIANCES_AS, 1)
