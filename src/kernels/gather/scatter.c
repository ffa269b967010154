/* SPDX-License-Identifier: MIT */
/* Sums by index, in the order of x: each sum is rounded before the next element is added. */
#include "scatter_kernels.h"
#include "loops.h"
#include "indices.h"

/* y[at] += x[i]; 16-bit types are added in a lane of f32. */
ISK_INLINE void add_one(void *y, size_t at, const void *x, size_t i, const enum isk_type type)
{
	if (type == ISK_F32)
		((float *)y)[at] += ((const float *)x)[i];
	else if (type == ISK_F64)
		((double *)y)[at] += ((const double *)x)[i];
	else
		vf_store_as(y, at, vf_load_as(y, at, 1, type) + vf_load_as(x, i, 1, type), 1, type);
}

ISK_INLINE int scatter_add(void *y, const void *x, const void *index, size_t n, size_t rows, const enum isk_type type,
                           const enum isk_type index_type)
{
	if (!indices_below(index, n, rows, index_type))
		return ISK_ERR_INDEX;
	for (size_t i = 0; i < n; i++)
		add_one(y, index_at(index, i, index_type), x, i, type);
	return 0;
}

#define SCATTER_ADD(kernel, T, I, ...)                                         \
	int ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const ISK_C_##I *index, size_t n, size_t rows) \
	{                                                                          \
		return scatter_add(y, x, index, n, rows, ISK_ENUM_##T, ISK_ENUM_##I);  \
	}
ISK_EACH_scatter_add(SCATTER_ADD)

/* y += x for m elements from i on, at most a vector. */
ISK_INLINE void add_step(void *y, const void *x, size_t i, size_t m, const enum isk_type type)
{
	if (type == ISK_F64)
		vd_store_as(y, i, vd_load_as(y, i, m, type) + vd_load_as(x, i, m, type), m, type);
	else
		vf_store_as(y, i, vf_load_as(y, i, m, type) + vf_load_as(x, i, m, type), m, type);
}

ISK_INLINE void add_row(void *y, const void *x, size_t n, const enum isk_type type)
{
	const size_t lanes = type == ISK_F64 ? VD : VL;
	size_t i = 0;

	for (; n - i >= lanes; i += lanes)
		add_step(y, x, i, lanes, type);
	if (i < n)
		add_step(y, x, i, n - i, type);
}

ISK_INLINE int scatter_add_rows(char *y, const char *x, const void *index, size_t rows_in, size_t rows, size_t n,
                                size_t ldy, size_t ldx, const enum isk_type type, const enum isk_type index_type)
{
	const size_t bytes = isk_element_bytes(type);

	if (!rows_in || !n)
		return 0;
	if (!indices_below(index, rows_in, rows, index_type))
		return ISK_ERR_INDEX;
	for (size_t r = 0; r < rows_in; r++)
		add_row(y + index_at(index, r, index_type) * ldy * bytes, x + r * ldx * bytes, n, type);
	return 0;
}

#define SCATTER_ADD_ROWS(kernel, T, I, ...)                                    \
	int ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const ISK_C_##I *index, size_t rows_in, size_t rows, \
	                   size_t n, size_t ldy, size_t ldx)                       \
	{                                                                          \
		return scatter_add_rows((void *)y, (const void *)x, index, rows_in, rows, n, ldy, ldx, ISK_ENUM_##T, ISK_ENUM_##I); \
	}
ISK_EACH_scatter_add_rows(SCATTER_ADD_ROWS)
