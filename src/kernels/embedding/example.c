/* SPDX-License-Identifier: MIT */
/* Two bags of rows from a table of three rows. */
#include <isakern.h>
#include <stdio.h>

static void show(const char *name, const float *y)
{
	printf("%-10s %g %g, %g %g\n", name, (double)y[0], (double)y[1], (double)y[2], (double)y[3]);
}

int main(void)
{
	const float x[3][2] = {{1, 2}, {3, 4}, {5, 6}}, weight[3] = {1, 0.5f, 2}, scale[3] = {1, 0.5f, 0.25f};
	const int8_t narrow[3][2] = {{1, 2}, {3, 4}, {5, 6}};
	const int32_t index[3] = {2, 0, 1};
	const int64_t ends[2] = {2, 3};
	const uint8_t nibbles[3] = {0x21, 0x43, 0x65}; /* the numbers of narrow as s4, two in a byte */
	float y[4];

	isk_bag_sum_f32_f32_s32(y, x[0], index, ends, weight, 3, 2, 3, 2, 2, 2);
	show("bag", y);
	isk_bag_max_f32_f32_s32(y, x[0], index, ends, 3, 2, 3, 2, 2, 2);
	show("bag_max", y);
	isk_bag_scaled_s8_f32_s32(y, narrow[0], scale, NULL, index, ends, NULL, 3, 2, 3, 2, 2, 2);
	show("bag_scaled", y);
	isk_bag_scaled_s4_f32_s32(y, nibbles, scale, NULL, index, ends, NULL, 3, 2, 3, 2, 2, 2);
	show("of s4", y);
	isk_bag_scaled_max_s4_f32_s32(y, nibbles, scale, NULL, index, ends, 3, 2, 3, 2, 2, 2);
	show("its max", y);
	return 0;
}

/*
 * prints
 *
 *     bag        5.5 7, 6 8
 *     bag_max    5 6, 3 4
 *     bag_scaled 2.25 3.5, 1.5 2
 *     of s4      2.25 3.5, 1.5 2
 *     its max    1.25 2, 1.5 2
 */
