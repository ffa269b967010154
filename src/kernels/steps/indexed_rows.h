/* SPDX-License-Identifier: MIT */
/* For kernels that take the step of an array for each row that an index names, in the order of the index. */
#ifndef ISK_INDEXED_ROWS_H
#define ISK_INDEXED_ROWS_H

#include "of_type.h"
#include "indices.h"

/* The number of a row, as the index holds it. */
typedef ISK_PASTE2(ISK_C_, ISK_I) number;

/* The kernel that takes the step of an array: isk_sgd_f32__avx2 is ARRAY(sgd). */
#define ARRAY(op) ISK_PASTE4(ISK_PREFIX, _##op##_, ISK_T, ISK_PASTE2(__, ISK_ISA))

ISK_INLINE int rows_exist(const number *index, size_t count, size_t rows)
{
	return indices_below(index, count, rows, ISK_PASTE2(ISK_ENUM_, ISK_I));
}

#endif
