/* SPDX-License-Identifier: MIT */
/* Copies a row of elements of any size to all rows. */
#include "broadcast_rows_kernels.h"

static void copy_rows(char *y, const char *x, size_t rows, size_t bytes, size_t step)
{
	for (; rows && bytes; rows--, y += step)
		for (size_t i = 0; i < bytes; i += 4 * VL)
			vi_store_bytes(y + i, vi_load_bytes(x + i, bytes - i), bytes - i);
}

#define BROADCAST_ROWS_OF(kernel, T, ...)                                      \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldy) \
	{                                                                          \
		const size_t bytes = isk_element_bytes(ISK_ENUM_##T);                  \
                                                                               \
		copy_rows((char *)y, (const char *)x, rows, cols * bytes, ldy * bytes); \
	}

ISK_EACH_broadcast_rows(BROADCAST_ROWS_OF, )
