/* SPDX-License-Identifier: MIT */
/*
 * Gradients of the tables of embedding bags: each row of a bag gets the bag's gradient, times its weight. Rows are taken in
 * the order of index, because a row may be there several times.
 */
#include "bag_gradients_kernels.h"
#include "bag_ends.h"

/* The rows of index[k] to index[end - 1] get dy, whose factor is 1 / n for a mean of n rows. */
static __attribute__((noinline)) void add_gradient(float *dx, const float *dy, const void *index, const float *weight,
                                                   size_t k, size_t end, size_t cols, size_t lddx, float factor,
                                                   enum isk_type type)
{
	for (; k < end; k++) {
		float *row = dx + index_at(index, k, type) * lddx;
		const vf scale = vf_set1(weight ? weight[k] * factor : factor);

#pragma GCC unroll 1
		for (size_t c = 0; c < cols; c += VL) {
			const size_t n = cols - c;

			vf_store_as(row, c, vf_fma(scale, vf_load_as(dy, c, n, ISK_F32), vf_load_as(row, c, n, ISK_F32)), n, ISK_F32);
		}
	}
}

static __attribute__((noinline)) int add_gradients(float *dx, const float *dy, const void *index, const int64_t *ends,
                                                   const float *weight, size_t rows, size_t bags, size_t count, size_t cols,
                                                   size_t lddx, size_t lddy, int is_mean, enum isk_type type)
{
	size_t k = 0;

	if (!bags || !cols)
		return ISK_OK;
	if (!is_in_range(index, ends, rows, bags, count, type))
		return ISK_ERR_INDEX;
	for (size_t b = 0; b < bags; b++, dy += lddy) {
		const size_t end = ends ? (size_t)ends[b] : k + count / bags;

		add_gradient(dx, dy, index, weight, k, end, cols, lddx, is_mean ? 1 / (float)(end - k) : 1, type);
		k = end;
	}
	return ISK_OK;
}

#define BAG_GRADIENT(kernel, is_mean, I)                                       \
	int ISK_FN(kernel)(float *dx, const float *dy, const ISK_C_##I *index, const int64_t *ends, const float *weight, \
	                   size_t rows, size_t bags, size_t count, size_t cols, size_t lddx, size_t lddy) \
	{                                                                          \
		return add_gradients(dx, dy, index, ends, weight, rows, bags, count, cols, lddx, lddy, is_mean, ISK_ENUM_##I); \
	}
#define SUM(kernel, T, I, ...)  BAG_GRADIENT(kernel, 0, I)
#define MEAN(kernel, T, I, ...) BAG_GRADIENT(kernel, 1, I)
ISK_EACH_bag_sum_backward(SUM, )
ISK_EACH_bag_mean_backward(MEAN, )
