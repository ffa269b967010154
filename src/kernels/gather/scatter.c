/* SPDX-License-Identifier: MIT */
/* Sums by index, in the order of x: each sum is rounded before the next element is added. */
#include "scatter_kernels.h"
#include "loops.h"
#include "indices.h"

/* Adds one element; 16-bit types are added in a lane of f32. */
#define ADD_f32(y, x)  *(y) += *(x)
#define ADD_f64(y, x)  *(y) += *(x)
#define ADD_bf16(y, x) vf_store_as(y, 0, vf_load_as(y, 0, 1, ISK_BF16) + vf_load_as(x, 0, 1, ISK_BF16), 1, ISK_BF16)
#define ADD_f16(y, x)  vf_store_as(y, 0, vf_load_as(y, 0, 1, ISK_F16) + vf_load_as(x, 0, 1, ISK_F16), 1, ISK_F16)

#define SCATTER_ADD(kernel, T, I, ...)                                         \
	int ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const ISK_C_##I *index, size_t n, size_t rows) \
	{                                                                          \
		if (!indices_below(index, n, rows, ISK_ENUM_##I))                      \
			return ISK_ERR_INDEX;                                              \
		for (size_t i = 0; i < n; i++)                                         \
			ADD_##T(y + index[i], x + i);                                      \
		return 0;                                                              \
	}
ISK_EACH_scatter_add(SCATTER_ADD)

#define ADD_STEP(m, T, ...) ISK_STORE(T, to, i, ISK_LOAD(T, to, i, m) + ISK_LOAD(T, from, i, m), m);

#define SCATTER_ADD_ROWS(kernel, T, I, ...)                                    \
	int ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const ISK_C_##I *index, size_t rows_in, size_t rows, \
	                   size_t n, size_t ldy, size_t ldx)                       \
	{                                                                          \
		if (!rows_in || !n)                                                    \
			return 0;                                                          \
		if (!indices_below(index, rows_in, rows, ISK_ENUM_##I))                    \
			return ISK_ERR_INDEX;                                              \
		for (size_t r = 0; r < rows_in; r++) {                                 \
			ISK_C_##T *to = y + index_at(index, r, ISK_ENUM_##I) * ldy;        \
			const ISK_C_##T *from = x + r * ldx;                               \
                                                                               \
			ISK_LOOP(T, ADD_STEP, )                                            \
		}                                                                      \
		return 0;                                                              \
	}
ISK_EACH_scatter_add_rows(SCATTER_ADD_ROWS)
