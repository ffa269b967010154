/* SPDX-License-Identifier: MIT */
/*
 * The body of a kernel of rows: takes a step, which is a call of the kernel of arrays, for each row that index names, in
 * the order of index. The step may use i, the position in index, and row.
 */
#ifndef ISK_EACH_ROW_H
#define ISK_EACH_ROW_H

#include "indices.h"

#define EACH_ROW(index, T, step)                                               \
	if (!cols)                                                                 \
		return ISK_OK;                                                         \
	if (!indices_below(index, count, rows, ISK_ENUM_##T))                      \
		return ISK_ERR_INDEX;                                                  \
	for (size_t i = 0; i < count; i++) {                                       \
		const size_t row = (size_t)index[i];                                   \
                                                                               \
		step;                                                                  \
	}                                                                          \
	return ISK_OK;

#endif
