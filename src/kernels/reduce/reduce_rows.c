/* SPDX-License-Identifier: MIT */
/* Reductions of each row: a call of the kernel for arrays for each, so that a row has the bits of an array. */
#include "reduce_rows_kernels.h"

/* The kernel of an operation and a type in another source, for the same ISA. */
#define SIBLING(op, T) ISK_PASTE4(ISK_PREFIX, _##op##_##T, __, ISK_ISA)

#define LANE_OF(T)           __typeof((ISK_VECTOR(T)){0}[0])
#define IN_ALL_LANES(T)      ISK_PASTE2(ISK_VECTOR(T), _set1)
#define PUT_OF(T, y, i, sum) ISK_PASTE2(ISK_VECTOR(T), _store_as)(y, i, IN_ALL_LANES(T)(sum), 1, ISK_ENUM_##T)

#define ROWS(kernel, T, op)                                                    \
	LANE_OF(T) SIBLING(op, T)(const ISK_C_##T *x, size_t n);                   \
                                                                               \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		for (size_t r = 0; r < rows; r++)                                      \
			PUT_OF(T, y, r, SIBLING(op, T)(x + r * ldx, cols));                \
	}
ISK_EACH_sum_rows(ROWS, sum)
ISK_EACH_mean_rows(ROWS, mean)
ISK_EACH_asum_rows(ROWS, asum)
ISK_EACH_prod_rows(ROWS, prod)
ISK_EACH_max_rows(ROWS, max)
ISK_EACH_min_rows(ROWS, min)
ISK_EACH_nrm2_rows(ROWS, nrm2)
ISK_EACH_sumsq_rows(ROWS, sumsq)

#define POSITIONS(kernel, T, op)                                               \
	size_t SIBLING(op, T)(const ISK_C_##T *x, size_t n);                       \
                                                                               \
	void ISK_FN(kernel)(int64_t *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		for (size_t r = 0; r < rows; r++)                                      \
			y[r] = (int64_t)SIBLING(op, T)(x + r * ldx, cols);                 \
	}
ISK_EACH_argmax_rows(POSITIONS, argmax)
ISK_EACH_argmin_rows(POSITIONS, argmin)
ISK_EACH_count_nonzero_rows(POSITIONS, count_nonzero)
