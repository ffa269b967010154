/* SPDX-License-Identifier: MIT */
/*
 * exp(x - max) / sum of them, row by row: the maximum, then block by block the
 * exponentials and, while they are in the first-level cache, their sum in the
 * tree of sum_tree_lanes.h, then the scaling. A NaN needs no care, it is in the sum.
 *
 * Roundings of y: the difference, exp (2 eps), the sum with the exp in it, its
 * reciprocal and the product; for rows of three or less that is up to a quarter
 * more than depth(cols). Worst found: 0.925 of eps * y * (depth + max - x), at
 * x = {0x1.0ea884p+4, 0x1.ab8c3ap+4, -0x1.5b901p+2}[2].
 */
#include "softmax_kernels.h"
#include "sum_tree.h"
#include "vmath.h"

ISK_INLINE void exp_of_part(float *y, const float *x, size_t i, size_t end, vf max)
{
	for (; end - i >= VL; i += VL)
		vf_store(y + i, vf_exp(vf_load(x + i) - max));
	if (i < end)
		vf_store_n(y + i, vf_exp(vf_load_n(x + i, end - i) - max), end - i);
}

static void softmax_row(float *y, const float *x, size_t n)
{
	const vf max = vf_set1(vf_fold_max(reduce_max_vf(x, 0, n, ISK_F32).lanes.v));
	const size_t step = (size_t)(ROUNDS * round_of_vf(SUM));
	struct cascade_vf c;
	size_t j = 0;
	vf factor;

	c.blocks = c.depth = 0;
	for (size_t i = 0;; i += step) {
		const size_t end = n - i < step ? n : i + step;
		struct line_vf s;

		exp_of_part(y, x, i, end, max);
		reduce_block_vf(&s, y, NULL, i, end - i, max, SUM, ISK_F32);
		if (end == n) {
			factor = vf_set1(1 / cascade_end_vf(&c, s));
			break;
		}
		cascade_push_vf(&c, s);
	}
	for (; n - j >= VL; j += VL)
		vf_store(y + j, vf_load(y + j) * factor);
	if (j < n)
		vf_store_n(y + j, vf_load_n(y + j, n - j) * factor, n - j);
}

void ISK_FN(softmax_f32)(float *y, const float *x, size_t rows, size_t cols, size_t ldy, size_t ldx)
{
	for (; rows && cols; rows--, y += ldy, x += ldx)
		softmax_row(y, x, cols);
}
