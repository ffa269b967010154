/* SPDX-License-Identifier: MIT */
/* The maximum of each column: whatever the order, there is but one, zeros apart, whose order of signs decides. */
#include "maxpool_kernels.h"
#include "loops.h"

#define ISK_COLUMNS(m, T, ...)                                                 \
	{                                                                          \
		ISK_VECTOR(T) most = v_set1((ISK_VECTOR(T)){0}, -__builtin_inff());    \
                                                                               \
		for (size_t r = 0; r < rows; r++)                                      \
			most = v_maximum(most, ISK_LOAD(T, x, r * ldx + i, m));            \
		ISK_STORE(T, y, i, most, m);                                           \
	}

#define ISK_MAXPOOL(kernel, T, ...)                                                \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t n, size_t ldx) \
	{                                                                          \
		ISK_LOOP(T, ISK_COLUMNS, )                                             \
	}
ISK_EACH_maxpool(ISK_MAXPOOL)
