/* SPDX-License-Identifier: MIT */
/* The exact sum, mean and variance of numbers that three processes hold. */
#include <isakern.h>
#include <stdio.h>

enum { N = 6, PARTS = 3 };

int main(void)
{
	static const float x[N] = {16777216, 1, 3, -16777216, 0.5f, 2.5f};
	struct isk_acc_f32 sums, squares;
	float sum, mean, variance;

	isk_acc_f32_clear(&sums, 1);
	isk_acc_f32_clear(&squares, 1);
	for (int i = 0; i < PARTS; i++) {
		unsigned char bytes[ISK_ACC_F32_BYTES];
		struct isk_acc_f32 part;

		/* Each part could be somewhere else, and send these bytes. */
		isk_acc_f32_clear(&part, 1);
		isk_acc_f32_add(&part, x + 2 * i, 2);
		isk_acc_f32_save(bytes, &part);

		if (isk_acc_f32_load(&part, bytes, sizeof(bytes)))
			return 1;
		isk_acc_f32_merge(&sums, &part, 1);
		isk_acc_f32_add_products(&squares, x + 2 * i, x + 2 * i, 2);
	}
	isk_acc_f32_to_f32(&sum, &sums, 1);
	isk_acc_f32_mean(&mean, &sums, 1);
	isk_acc_f32_variance(&variance, &sums, &squares, 1, 1);
	printf("sum %g, mean %g, variance %g\n", (double)sum, (double)mean, (double)variance);
	return 0;
}

/*
 * prints
 *
 *     sum 7, mean 1.16667, variance 1.1259e+14
 */
