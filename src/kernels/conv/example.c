/* SPDX-License-Identifier: MIT */
/* Adds to each pixel its neighbours, in an image of 3 by 3 pixels and one channel. */
#include <isakern.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const struct isk_conv conv = {
		.size = sizeof(conv), .images = 1, .height = 3, .width = 3, .channels = 1, .out_channels = 1,
		.kernel_h = 3, .kernel_w = 3, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1,
		.pad_top = 1, .pad_left = 1, .pad_bottom = 1, .pad_right = 1, .groups = 1,
	};
	const float x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, weights[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
	const size_t bytes = isk_conv_packed_size(ISK_F32, &conv);
	void *packed = malloc(bytes);
	float y[9];
	int status = packed ? isk_conv_pack_f32(packed, weights, bytes, &conv) : ISK_ERR_NULL;

	if (status == ISK_OK)
		status = isk_conv_f32(y, x, packed, &conv, NULL);
	if (status != ISK_OK) {
		fprintf(stderr, "%s\n", isk_strerror(status));
		return 1;
	}
	for (int i = 0; i < 9; i++)
		printf("%g%c", (double)y[i], i % 3 == 2 ? '\n' : ' ');
	free(packed);
	return 0;
}

/*
 * prints
 *
 *     12 21 16
 *     27 45 33
 *     24 39 28
 */
