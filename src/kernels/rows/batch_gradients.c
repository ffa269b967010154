/* SPDX-License-Identifier: MIT */
/*
 * Gradients of batch normalisation in training.
 *
 * The error of dx, in units of eps. Let h = (x - mean) * rstd, c = dbias / rows, C = dweight / rows. Then h is rounded twice,
 * c and C twice each with 1 / rows; h C + c adds 2 |h C| + |c| at most, the difference from dy 1 of all, and the
 * product with rstd * weight 2 of all. The sum is at most 9 |h C| + 6 |c| + 3 |dy|, times |rstd * weight|.
 */
#include "batch_gradients_kernels.h"
#include "of_type.h"
#include "sum_tree.h"
#include "column_gradients.h"

void KERNEL(batchnorm_backward_weight)(elem *dweight, elem *dbias, const elem *dy, const elem *x, const elem *mean,
                                       const elem *rstd, size_t rows, size_t cols, size_t lddy, size_t ldx)
{
	const struct column_terms t = {dy, x, mean, rstd, lddy, ldx, 1};

	for (size_t i = 0; i < cols; i += COUNT) {
		const struct column_sums s = sum_columns(&t, rows, i, cols - i);

		store(dweight, i, s.weight, cols - i);
		store(dbias, i, s.bias, cols - i);
	}
}

void KERNEL(batchnorm_backward)(elem *dx, const elem *dy, const elem *x, const elem *weight, const elem *mean,
                                const elem *rstd, const elem *dweight, const elem *dbias, size_t rows, size_t cols,
                                size_t lddx, size_t lddy, size_t ldx)
{
	const vec inverse = splat(1 / (lane)rows);

	for (size_t r = 0; r < rows && cols; r++)
		for (size_t i = 0; i < cols; i += COUNT) {
			const size_t n = cols - i;
			const vec scale = load(rstd, i, n), h = (load(x, r * ldx + i, n) - load(mean, i, n)) * scale;
			const vec all = multiply_add(h, load(dweight, i, n) * inverse, load(dbias, i, n) * inverse);

			store(dx, r * lddx + i, (load(dy, r * lddy + i, n) - all) * (weight ? scale * load(weight, i, n) : scale), n);
		}
}
