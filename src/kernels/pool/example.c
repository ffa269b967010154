/* SPDX-License-Identifier: MIT */
/* The mean of two rows. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	const float x[2][3] = {{1, 2, 3}, {3, 4, 5}};
	float y[3];

	isk_meanpool_f32(y, x[0], 2, 3, 3);
	printf("%g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
	return 0;
}

/*
 * prints
 *
 *     2 3 4
 */
