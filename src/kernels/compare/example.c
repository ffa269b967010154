/* SPDX-License-Identifier: MIT */
/* Counts the positive numbers in an array, selects them, and replaces the others. */
#include <isakern.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
	const float x[] = {3, -1, 0, 7, -2};
	float chosen[5], y[5];
	uint8_t is_positive[5], is_not[5], is_same[5], is_number[5], either[5];
	size_t count;

	isk_gt_scalar_f32(is_positive, x, 5, 0);
	isk_mask_not(is_not, is_positive, 5);
	isk_eq_f32(is_same, x, x, 5);
	isk_isfinite_f32(is_number, x, 5);
	isk_mask_or(either, is_positive, is_not, 5);
	printf("%zu of %zu numbers, %zu of either kind\n", isk_mask_count(is_positive, 5),
	       isk_mask_count(is_number, 5), isk_mask_count(either, 5));

	count = isk_compress_b32(chosen, x, is_positive, 5);
	printf("%g and %g\n", (double)chosen[0], (double)chosen[count - 1]);

	isk_masked_fill_f32(y, x, is_not, 5, -9);
	isk_select_b32(y, is_same, y, x, 5);
	printf("%g %g %g %g %g\n", (double)y[0], (double)y[1], (double)y[2], (double)y[3], (double)y[4]);

	isk_from_mask_f32(y, is_positive, 5);
	printf("%g %g %g %g %g\n", (double)y[0], (double)y[1], (double)y[2], (double)y[3], (double)y[4]);
	return 0;
}

/*
 * prints
 *
 *     2 of 5 numbers, 5 of either kind
 *     3 and 7
 *     3 -9 -9 7 -9
 *     1 0 0 1 0
 */
