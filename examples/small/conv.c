/* SPDX-License-Identifier: MIT */
/*
 * A convolution: the edges of a picture, by a kernel of 3 by 3, in a picture of the same size.
 *
 *     cc conv.c $(pkg-config --cflags --libs isakern)
 */
#include <isakern.h>
#include <stdio.h>
#include <stdlib.h>

enum { HEIGHT = 5, WIDTH = 6 };

int main(void)
{
	const float laplace[9] = {0, 1, 0, 1, -4, 1, 0, 1, 0};
	const struct isk_conv conv = {
		.size = sizeof(conv),
		.images = 1, .height = HEIGHT, .width = WIDTH, .channels = 1, .out_channels = 1,
		.kernel_h = 3, .kernel_w = 3, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1,
		.pad_top = 1, .pad_left = 1, .pad_bottom = 1, .pad_right = 1, .groups = 1,
	};
	const size_t bytes = isk_conv_packed_size(ISK_F32, &conv);
	void *packed = aligned_alloc(64, (bytes + 63) / 64 * 64);
	float picture[HEIGHT][WIDTH] = {{0}}, edges[HEIGHT][WIDTH];
	int status;

	for (int row = 1; row < 4; row++)
		for (int col = 1; col < 5; col++)
			picture[row][col] = 1;
	status = packed ? isk_conv_pack_f32(packed, laplace, bytes, &conv) : ISK_ERR_NULL;
	if (status == ISK_OK)
		status = isk_conv_f32(edges[0], picture[0], packed, &conv, NULL);
	free(packed);
	if (status != ISK_OK) {
		fprintf(stderr, "conv: %s\n", isk_strerror(status));
		return 1;
	}
	for (int row = 0; row < HEIGHT; row++) {
		for (int col = 0; col < WIDTH; col++)
			printf("%3g", (double)edges[row][col]);
		printf("\n");
	}
	return 0;
}

/*
 * prints
 *
 *       0  1  1  1  1  0
 *       1 -2 -1 -1 -2  1
 *       1 -1  0  0 -1  1
 *       1 -2 -1 -1 -2  1
 *       0  1  1  1  1  0
 */
