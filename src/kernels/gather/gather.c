/* SPDX-License-Identifier: MIT */
/*
 * Elements and rows by their index. Single elements are copied one by one, because they wait
 * for memory, and gather instructions are no faster than loads on most CPUs.
 */
#include "gather_kernels.h"
#include "indices.h"

ISK_INLINE int gather(char *y, const char *x, const void *index, size_t n, size_t rows, const size_t bytes,
                      const enum isk_type type)
{
	if (!indices_below(index, n, rows, type))
		return ISK_ERR_INDEX;
	for (size_t i = 0; i < n; i++)
		__builtin_memcpy(y + i * bytes, x + index_at(index, i, type) * bytes, bytes);
	return 0;
}

#define GATHER(kernel, B, I, ...)                                              \
	int ISK_FN(kernel)(void *y, const void *x, const ISK_C_##I *index, size_t n, size_t rows) \
	{                                                                          \
		return gather(y, x, index, n, rows, isk_element_bytes(ISK_ENUM_##B), ISK_ENUM_##I); \
	}
ISK_EACH_gather(GATHER)

ISK_INLINE int gather_rows(char *y, const char *x, const void *index, size_t n, size_t rows, size_t cols, size_t ldy,
                           size_t ldx, const enum isk_type type)
{
	if (!n || !cols)
		return 0;
	if (!indices_below(index, n, rows, type))
		return ISK_ERR_INDEX;
	for (size_t r = 0; r < n; r++) {
		const char *from = x + index_at(index, r, type) * ldx;
		char *to = y + r * ldy;

		for (size_t i = 0; i < cols; i += 4 * VL)
			vi_store_bytes(to + i, vi_load_bytes(from + i, cols - i), cols - i);
	}
	return 0;
}

/* Functions for each type of indices; cols, ldy and ldx are in bytes. */
static __attribute__((noinline)) int gather_rows_s32(void *y, const void *x, const void *index, size_t n, size_t rows,
                                                     size_t cols, size_t ldy, size_t ldx)
{
	return gather_rows(y, x, index, n, rows, cols, ldy, ldx, ISK_S32);
}

static __attribute__((noinline)) int gather_rows_s64(void *y, const void *x, const void *index, size_t n, size_t rows,
                                                     size_t cols, size_t ldy, size_t ldx)
{
	return gather_rows(y, x, index, n, rows, cols, ldy, ldx, ISK_S64);
}

#define GATHER_ROWS(kernel, B, I, ...)                                         \
	int ISK_FN(kernel)(void *y, const void *x, const ISK_C_##I *index, size_t n, size_t rows, size_t cols, \
	                   size_t ldy, size_t ldx)                                 \
	{                                                                          \
		const size_t bytes = isk_element_bytes(ISK_ENUM_##B);                  \
                                                                               \
		return gather_rows_##I(y, x, index, n, rows, cols * bytes, ldy * bytes, ldx * bytes); \
	}
ISK_EACH_gather_rows(GATHER_ROWS)
