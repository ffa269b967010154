/* SPDX-License-Identifier: MIT */
/*
 * A layer of a network in one call: y = relu(x * weights + bias) + x, its weights packed once.
 *
 *     cc gemm_post.c $(pkg-config --cflags --libs isakern)
 */
#include <isakern.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 2, IN = 3, OUT = 3 };

int main(void)
{
	const float weights[IN][OUT] = {{1, 0, -1}, {2, 1, 0}, {0, 1, 2}}, bias[OUT] = {1, -10, 0};
	const float x[BATCH][IN] = {{1, 2, 3}, {-4, 5, 6}};
	const struct isk_post post = {
		.size = sizeof(post),
		.bias = bias,
		.act = ISK_ACT_RELU,
		.binary = ISK_BINARY_ADD,
		.other = x,
		.ldother = IN,
	};
	const size_t bytes = isk_packed_size(ISK_F32, IN, OUT);
	/* aligned_alloc() requires a multiple of the alignment. */
	void *packed = aligned_alloc(64, (bytes + 63) / 64 * 64);
	float y[BATCH][OUT];
	int status = packed ? isk_gemm_pack_f32(packed, weights[0], bytes, IN, OUT, OUT, 0) : ISK_ERR_NULL;

	if (status == ISK_OK)
		status = isk_gemm_f32(y[0], x[0], packed, BATCH, OUT, IN, OUT, IN, &post);
	free(packed);
	if (status != ISK_OK) {
		fprintf(stderr, "gemm_post: %s\n", isk_strerror(status));
		return 1;
	}
	for (int i = 0; i < BATCH; i++)
		printf("%g %g %g\n", (double)y[i][0], (double)y[i][1], (double)y[i][2]);
	return 0;
}

/*
 * prints
 *
 *     7 2 8
 *     3 6 22
 */
