/* SPDX-License-Identifier: MIT */
/* A layer of a network: y = relu(x * weights + bias). The weights are packed once. */
#include <isakern.h>
#include <stdio.h>
#include <stdlib.h>

enum { M = 2, N = 3, K = 4 };

int main(void)
{
	const float x[M][K] = {{1, 2, 3, 4}, {-1, -2, -3, -4}};
	const float weights[K][N] = {{1, 0, 1}, {0, 1, 1}, {1, 0, 0}, {0, 1, 0}}, bias[N] = {0.5f, 0, -1};
	const struct isk_post post = {.size = sizeof(post), .bias = bias, .act = ISK_ACT_RELU};
	const size_t bytes = isk_packed_size(ISK_F32, K, N);
	void *packed = malloc(bytes);
	float y[M][N];
	int status = packed ? isk_gemm_pack_f32(packed, weights[0], bytes, K, N, N, 0) : ISK_ERR_NULL;

	if (status == ISK_OK)
		status = isk_gemm_f32(y[0], x[0], packed, M, N, K, N, K, &post);
	if (status != ISK_OK) {
		fprintf(stderr, "%s\n", isk_strerror(status));
		return 1;
	}
	for (int i = 0; i < M; i++)
		printf("%g %g %g\n", (double)y[i][0], (double)y[i][1], (double)y[i][2]);
	free(packed);
	return 0;
}

/*
 * prints
 *
 *     4.5 6 2
 *     0 0 0
 */
