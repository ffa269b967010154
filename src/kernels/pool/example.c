/* SPDX-License-Identifier: MIT */
/* The mean of two rows, the pools of an image, and the gradients of pools. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	const float x[2][3] = {{1, 2, 3}, {3, 4, 5}};
	float y[3];

	isk_meanpool_f32(y, x[0], 2, 3, 3);
	printf("%g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
	isk_maxpool_2d_nchw_f32(y, x[0], 1, 1, 1, 2, 2, 3, 2, 2, 1, 1, 0, 0);
	printf("%g %g\n", (double)y[0], (double)y[1]);
	isk_maxpool_2d_nhwc_f32(y, x[0], 1, 3, 1, 1, 1, 2, 1, 2, 1, 1, 0, 0);
	printf("%g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
	isk_avgpool_2d_nchw_f32(y, x[0], 1, 1, 1, 2, 2, 3, 2, 2, 1, 1, 0, 0, 0);
	printf("%g %g\n", (double)y[0], (double)y[1]);
	isk_avgpool_2d_nhwc_f32(y, x[0], 1, 3, 1, 1, 1, 2, 1, 2, 1, 1, 0, 0, 0);
	printf("%g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
	isk_adaptive_avgpool_nchw_f32(y, x[0], 1, 1, 1, 2, 2, 3);
	printf("%g %g\n", (double)y[0], (double)y[1]);
	isk_adaptive_avgpool_nhwc_f32(y, x[0], 1, 3, 1, 1, 1, 2);
	printf("%g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
	isk_adaptive_avgpool_backward_nchw_f32(y, x[0], 1, 1, 1, 2, 1, 3);
	printf("%g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
	isk_adaptive_avgpool_backward_nhwc_f32(y, x[0], 1, 3, 1, 1, 1, 1);
	printf("%g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
	isk_avgpool_2d_backward_nchw_f32(y, x[0], 1, 1, 1, 2, 1, 3, 1, 2, 1, 1, 0, 0, 0);
	printf("%g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
	isk_avgpool_2d_backward_nhwc_f32(y, x[0], 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0);
	printf("%g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
	isk_maxpool_2d_backward_nchw_f32(y, x[1], x[0], 1, 1, 1, 2, 1, 3, 1, 2, 1, 1, 0, 0);
	printf("%g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
	isk_maxpool_2d_backward_nhwc_f32(y, x[1], x[0], 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0);
	printf("%g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
	return 0;
}

/*
 * prints
 *
 *     2 3 4
 *     4 5
 *     3 4 5
 *     2.5 3.5
 *     2 3 4
 *     2.5 3.5
 *     2 3 4
 *     0.5 1.5 1
 *     1 2 3
 *     0.5 1.5 1
 *     1 2 3
 *     0 3 4
 *     3 4 5
 */
