/* SPDX-License-Identifier: MIT */
/* Whether indices are in range. */
#ifndef ISK_INDICES_H
#define ISK_INDICES_H

#include "kernel.h"

/* As signed numbers: rows that no index of its type reaches are as many as it can name. */
ISK_INLINE int are_below(const void *index, size_t n, size_t rows, const enum isk_type type)
{
	vi bad = {0};

	if (!rows)
		return 0;
	for (size_t i = 0; type == ISK_S32 && i < n; i += VL) {
		const vi v = vi_load_as(index, i, n - i, ISK_S32);

		bad |= (v < 0) | (v > (int32_t)(rows - 1 < INT32_MAX ? rows - 1 : INT32_MAX));
	}
	for (size_t i = 0; type == ISK_S64 && i < n; i += VD) {
		const vl v = (vl)vd_load_as(index, i, n - i, ISK_F64);

		bad |= (vi)((v < 0) | (v > (int64_t)(rows - 1 < INT64_MAX ? rows - 1 : INT64_MAX)));
	}
	return vm_all(vi_eq(bad, vi_set1(0)));
}

ISK_INLINE size_t index_at(const void *index, size_t i, const enum isk_type type)
{
	return type == ISK_S32 ? (size_t)((const int32_t *)index)[i] : (size_t)((const int64_t *)index)[i];
}

#endif
