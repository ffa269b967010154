/* SPDX-License-Identifier: MIT */
/* The maximum of each column. 0 is above -0, so that the result does not depend on the order. */
#include "maxpool_kernels.h"
#include "loops.h"

#define ISK_COLUMNS(m, T, ...)                                                 \
	{                                                                          \
		ISK_VECTOR(T) most = {0};                                              \
                                                                               \
		most = v_set1(most, -(__typeof(most[0]))__builtin_inff());             \
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
