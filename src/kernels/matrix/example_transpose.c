/* SPDX-License-Identifier: MIT */
/* Transposes a matrix, and puts the three colours of each pixel of an image side by side. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	const float x[2][3] = {{1, 2, 3}, {4, 5, 6}};
	const uint8_t planes[3][2] = {"rR", "gG", "bB"};
	float y[3][2];
	uint8_t pixels[2][3];

	isk_transpose_b32(y[0], x[0], 2, 3, 2, 3);
	isk_nchw_nhwc_b8(pixels[0], planes[0], 1, 3, 2);
	for (int i = 0; i < 3; i++)
		printf("%g %g\n", (double)y[i][0], (double)y[i][1]);
	printf("%.3s %.3s\n", (const char *)pixels[0], (const char *)pixels[1]);
	return 0;
}

/*
 * prints
 *
 *     1 4
 *     2 5
 *     3 6
 *     rgb RGB
 */
