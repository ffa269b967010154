/* SPDX-License-Identifier: MIT */
/* Reduces rows and columns of a matrix, elements a stride apart, bytes and bits. Combines the moments of two rows. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	const float x[2][3] = {{1, 2, 6}, {4, 8, 3}};
	const int8_t a[3] = {1, -2, 3}, b[3] = {4, 5, 6};
	const uint8_t bits[2] = {0x0f, 0xff}, others[2] = {0x03, 0xf0};
	const int32_t large[2] = {INT32_MAX, INT32_MAX};
	isk_bf16 narrow[6];
	float y[3], low[3], high[3], mean[3], m2[3];
	int64_t at[3];

	isk_sum_rows_f32(y, x[0], 2, 3, 3);
	isk_argmax_rows_f32(at, x[0], 2, 3, 3);
	printf("rows: %g at %lld, %g at %lld\n", (double)y[0], (long long)at[0], (double)y[1], (long long)at[1]);
	isk_mean_cols_f32(y, x[0], 2, 3, 3);
	printf("columns: %g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
	isk_meanvar_cols_f32(mean, m2, x[0], 2, 3, 3);
	isk_minmax_cols_f32(low, high, x[0], 2, 3, 3);
	isk_argmax_cols_f32(at, x[0], 2, 3, 3);
	printf("last column: variance %g, from %g to %g, which is in row %lld\n", (double)m2[2], (double)low[2], (double)high[2],
	       (long long)at[2]);
	isk_minmax_f32(low, high, x[0], 2, 3, 3);
	printf("from %g to %g\n", (double)low[0], (double)high[0]);
	printf("first column: %g, largest in row %zu\n", (double)isk_sum_strided_f32(x[0], 2, 3),
	       isk_argmax_strided_f32(x[0], 2, 3));
	isk_meanm2_f32(mean, m2, x[0], 2, 3, 3);
	isk_combine_moments_f32(mean, m2, &mean[0], &m2[0], &mean[1], &m2[1], 1, 3, 3);
	printf("mean %g, variance %g\n", (double)mean[0], (double)m2[0] / 6);
	isk_cvt_f32_bf16(narrow, x[0], 6);
	isk_meanm2_wide_bf16_f32(mean, m2, narrow, 1, 6, 6);
	printf("of bf16: mean %g, variance %g\n", (double)mean[0], (double)m2[0] / 6);
	isk_meanm2_wide_cols_bf16_f32(mean, m2, narrow, 2, 3, 3);
	printf("its last column: mean %g, variance %g\n", (double)mean[2], (double)m2[2] / 2);
	printf("bytes: %d\n", (int)isk_dot_s8s8_s32(a, b, 3));
	printf("bits: %zu, %zu differ\n", isk_popcount_b8(bits, 2), isk_hamming_b8(bits, others, 2));
	printf("integers: %lld\n", (long long)isk_sum_s32_s64(large, 2));
	return 0;
}

/*
 * prints
 *
 *     rows: 9 at 2, 15 at 1
 *     columns: 2.5 5 4.5
 *     last column: variance 2.25, from 3 to 6, which is in row 0
 *     from 1 to 6
 *     first column: 5, largest in row 1
 *     mean 4, variance 5.66667
 *     of bf16: mean 4, variance 5.66667
 *     its last column: mean 4.5, variance 2.25
 *     bytes: 12
 *     bits: 12, 6 differ
 *     integers: 4294967294
 */
