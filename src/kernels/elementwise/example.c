/* SPDX-License-Identifier: MIT */
/* Converts to other types and back, does arithmetic, and computes a function in place. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	float x[4] = {-1, 0, 0.5f, 1}, y[4];
	int8_t small[4];
	isk_bf16 half[4];

	isk_quantize_f32_s8(small, x, 4, 1.0f / 127, 0);
	isk_dequantize_s8_f32(y, small, 4, 1.0f / 127, 0);
	isk_cvt_f32_bf16(half, x, 4);
	isk_exp_bf16(half, half, 4);
	isk_cvt_bf16_f32(x, half, 4);
	isk_add_f32(y, x, y, 4);
	isk_fma_f32(x, x, x, y, 4);
	for (int i = 0; i < 4; i++)
		printf("%d %.2f %.2f\n", small[i], (double)y[i], (double)x[i]);
	return 0;
}

/*
 * prints
 *
 *     -127 -0.63 -0.50
 *     0 1.00 2.00
 *     64 2.15 4.87
 *     127 3.72 11.11
 */
