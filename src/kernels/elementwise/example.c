/* SPDX-License-Identifier: MIT */
/* To 8 bits and back, and a function in place. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	float x[4] = {-1, 0, 0.5f, 1};
	int8_t small[4];

	isk_quantize_f32_s8(small, x, 4, 1.0f / 127, 0);
	isk_dequantize_s8_f32(x, small, 4, 1.0f / 127, 0);
	isk_exp_f32(x, x, 4);
	for (int i = 0; i < 4; i++)
		printf("%d %.3f\n", small[i], (double)x[i]);
	return 0;
}
