/* SPDX-License-Identifier: MIT */
/* Truncated and floored quotients, saturated sums, and inverted bits. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	const int32_t a[4] = {7, -7, 7, 5}, b[4] = {2, 2, -2, 0};
	const uint8_t c[4] = {1, 200, 255, 8}, d[4] = {2, 100, 255, 9};
	int32_t trunc[4], floor[4];
	uint8_t sum[4], inverse[4];

	isk_trunc_div_s32(trunc, a, b, 4);
	isk_floor_div_s32(floor, a, b, 4);
	isk_add_sat_u8(sum, c, d, 4);
	isk_bit_not_u8(inverse, c, 4);
	for (int i = 0; i < 4; i++)
		printf("%d %d %d %d\n", trunc[i], floor[i], sum[i], inverse[i]);
	return 0;
}

/*
 * prints
 *
 *     3 3 3 254
 *     -3 -4 255 55
 *     -3 -4 255 0
 *     0 0 17 247
 */
