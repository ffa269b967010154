/* SPDX-License-Identifier: MIT */
/* 8-bit weights with a scale for every 32 of a column. In both columns the second scale is ten times the first. */
#include <isakern.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 2, K = 64 };

int main(void)
{
	const float scale[2][N] = {{0.01f, 0.02f}, {0.1f, 0.2f}};
	const struct isk_groups groups = {.size = sizeof(groups), .group = 32, .scale = scale[0], .ldscale = N};
	const size_t bytes = isk_packed_groups_size(ISK_S8, K, N, &groups);
	void *packed = malloc(bytes);
	int8_t weights[K][N];
	float x[K], y[N];
	int status = ISK_ERR_NULL;

	for (int i = 0; i < K; i++) {
		weights[i][0] = weights[i][1] = 100;
		x[i] = 1;
	}
	if (packed)
		status = isk_gemm_pack_groups_s8(packed, weights[0], bytes, K, N, N, 0, &groups);
	if (status == ISK_OK)
		status = isk_gemm_f32s8(y, x, packed, 1, N, K, N, K, NULL);
	if (status != ISK_OK) {
		fprintf(stderr, "%s\n", isk_strerror(status));
		return 1;
	}
	printf("%.3g %.3g\n", (double)y[0], (double)y[1]);
	free(packed);
	return 0;
}

/*
 * prints
 *
 *     352 704
 */
