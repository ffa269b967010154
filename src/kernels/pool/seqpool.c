/* SPDX-License-Identifier: MIT */
/*
 * The sum, the mean, and the sum divided by the square root of rows, of each column.
 * column.h defines the order of additions. Worst error found: 0.485 eps * depth(rows) *
 * mean |terms|, for the mean of -0x1.a63dfcp+1, -0x1.357f9p+2 and 0x1.d9c28p-4.
 */
#include "seqpool_kernels.h"

#include "columns.h"

#define SQUARE_ROOT(x) _Generic((x), float: __builtin_sqrtf(x), double: __builtin_sqrt(x))

/* All three operations divide (a sum by 1), so that they share one function for each type. */
#define ISK_SUMS(kernel, T, ...)                                                   \
	ADDER(add_##T, T, SUM_OF)                                                  \
                                                                               \
	static __attribute__((noinline)) void pool_##T(void *y, const void *x, size_t rows, size_t cols, size_t ldx, \
	                                               TREE_OF(lane, T) divisor)    \
	{                                                                          \
		TREE_OF(columns, T)(y, x, rows, cols, ldx, divisor, add_##T, SUM_OF, ISK_ENUM_##T); \
	}
ISK_EACH_sumpool(ISK_SUMS)

#define ISK_SEQPOOL(kernel, T, divisor)                                        \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		const TREE_OF(lane, T) count = (TREE_OF(lane, T))rows;                 \
                                                                               \
		(void)count;                                                           \
		pool_##T(y, x, rows, cols, ldx, divisor);                              \
	}
ISK_EACH_sumpool(ISK_SEQPOOL, 1)
ISK_EACH_meanpool(ISK_SEQPOOL, count)
ISK_EACH_sqrtpool(ISK_SEQPOOL, SQUARE_ROOT(count))
