/* SPDX-License-Identifier: MIT */
/* Takes rows of a table by index, and adds gradients back to the rows. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	const float table[3][2] = {{1, 2}, {3, 4}, {5, 6}};
	const int32_t rows[] = {2, 0, 2}, wrong[] = {0, 3, 1};
	float y[3][2], sums[3][2] = {{0}}, column[3], totals[3] = {0};

	isk_gather_rows_b32_s32(y[0], table[0], rows, 3, 3, 2, 2, 2);
	printf("%g %g, %g %g, %g %g\n", (double)y[0][0], (double)y[0][1], (double)y[1][0], (double)y[1][1],
	       (double)y[2][0], (double)y[2][1]);

	isk_scatter_add_rows_f32_s32(sums[0], y[0], rows, 3, 3, 2, 2, 2);
	printf("%g %g, %g %g, %g %g\n", (double)sums[0][0], (double)sums[0][1], (double)sums[1][0],
	       (double)sums[1][1], (double)sums[2][0], (double)sums[2][1]);

	isk_gather_b32_s32(column, sums[0], rows, 3, 6);
	isk_scatter_add_f32_s32(totals, column, rows, 3, 3);
	printf("%g %g %g\n", (double)totals[0], (double)totals[1], (double)totals[2]);

	if (isk_gather_b32_s32(column, sums[0], wrong, 3, 3) == ISK_ERR_INDEX)
		printf("%s\n", isk_strerror(ISK_ERR_INDEX));
	return 0;
}

/*
 * prints
 *
 *     5 6, 1 2, 5 6
 *     1 2, 0 0, 10 12
 *     1 0 0
 *     an index is out of range
 */
