/* SPDX-License-Identifier: MIT */
/* Fills arrays, adds multiples of them, multiplies each row of a matrix by another row, and scales one column. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	float x[6], y[6], w[3] = {1, 10, 100};

	isk_iota_f32(x, 6, 1, 0.5f);
	isk_fill_f32(y, 6, 2);
	isk_axpy_f32(y, x, 6, 2);
	isk_axpby_f32(y, x, 6, -1, 1);
	isk_mul_rows_f32(y, y, w, 2, 3, 3, 3);
	isk_scale_rows_f32(y, y, 2, 1, 3, 3, 1000);
	isk_clip_f32(y, y, 6, 0, 3000);
	for (int i = 0; i < 6; i++)
		printf("%g%c", (double)y[i], i % 3 == 2 ? '\n' : ' ');
	return 0;
}

/*
 * prints
 *
 *     3000 35 400
 *     3000 50 550
 */
