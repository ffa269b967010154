/* SPDX-License-Identifier: MIT */
/*
 * Quantizes to 8 bits and back, with one scale, with a scale for each row and with one for each column. Converts to
 * 8-bit floats and back. Requantizes sums.
 */
#include <isakern.h>
#include <stdio.h>

enum { ROWS = 2, COLS = 3 };

static void print(const char *what, const float *x)
{
	printf("%-11s", what);
	for (int i = 0; i < ROWS * COLS; i++)
		printf(" %7.3f", (double)x[i]);
	putchar('\n');
}

int main(void)
{
	const float x[ROWS * COLS] = {0.1f, 1, 10, -0.2f, 2, -20};
	const float by_col[COLS] = {0.2f / 127, 2.0f / 127, 20.0f / 127},
				by_row[ROWS] = {10.0f / 127, 20.0f / 127};
	const int32_t sums[ROWS * COLS] = {100, 2000, 30000, -100, -2000, 400000};
	int8_t small[ROWS * COLS];
	isk_e4m3 eight[ROWS * COLS];
	float y[ROWS * COLS];

	print("x", x);
	isk_quantize_f32_s8(small, x, ROWS * COLS, 20.0f / 127, 0);
	isk_dequantize_s8_f32(y, small, ROWS * COLS, 20.0f / 127, 0);
	print("one scale", y);
	isk_quantize_by_row_f32_s8(small, by_row, NULL, x, ROWS, COLS, COLS, COLS);
	isk_dequantize_by_row_s8_f32(y, by_row, NULL, small, ROWS, COLS, COLS, COLS);
	print("by row", y);
	isk_quantize_by_col_f32_s8(small, by_col, NULL, x, ROWS, COLS, COLS, COLS);
	isk_dequantize_by_col_s8_f32(y, by_col, NULL, small, ROWS, COLS, COLS, COLS);
	print("by column", y);
	isk_cvt_f32_e4m3(eight, x, ROWS * COLS);
	isk_cvt_e4m3_f32(y, eight, ROWS * COLS);
	print("e4m3", y);
	isk_requantize_s32_s8(small, sums, ROWS * COLS, 0.001f, 5);
	isk_cvt_s8_f32(y, small, ROWS * COLS);
	print("requantized", y);
	return 0;
}

/*
 * prints
 *
 *     x             0.100   1.000  10.000  -0.200   2.000 -20.000
 *     one scale     0.157   0.945  10.079  -0.157   2.047 -20.000
 *     by row        0.079   1.024  10.000  -0.157   2.047 -20.000
 *     by column     0.101   1.008  10.079  -0.200   2.000 -20.000
 *     e4m3          0.102   1.000  10.000  -0.203   2.000 -20.000
 *     requantized   5.000   7.000  35.000   5.000   3.000 127.000
 */
