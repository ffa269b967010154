/* SPDX-License-Identifier: MIT */
/* Quantizes rows to 8 bits, each with its own scale and zero point, and multiplies them by a packed matrix. */
#include <isakern.h>
#include <stdio.h>
#include <stdlib.h>

enum { M = 2, N = 1, K = 3 };

int main(void)
{
	const float x[M][K] = {{0, 1, 2}, {-40, 0, 60}};
	const int8_t weights[K] = {1, 1, 1};
	const size_t bytes = isk_packed_size(ISK_S8, K, N);
	void *packed = malloc(bytes);
	uint8_t small[M][K];
	float scale[M], y[M];
	int32_t zero[M];
	const struct isk_post post = {.size = sizeof(post), .row_scale = scale, .row_zero = zero};
	int status = packed ? isk_gemm_pack_s8(packed, weights, bytes, K, N, N, 0) : ISK_ERR_NULL;

	isk_quantize_rows_f32_u8(small[0], scale, zero, x[0], M, K, K, K);
	if (status == ISK_OK)
		status = isk_gemm_u8s8_f32(y, small[0], packed, M, N, K, N, K, &post);
	if (status != ISK_OK) {
		fprintf(stderr, "%s\n", isk_strerror(status));
		return 1;
	}
	for (int i = 0; i < M; i++)
		printf("%d %d %d, scale %.4f, zero %d: sum %.2f\n", small[i][0], small[i][1], small[i][2], (double)scale[i],
		       zero[i], (double)y[i]);
	free(packed);
	return 0;
}

/*
 * prints
 *
 *     0 127 255, scale 0.0078, zero 0: sum 3.00
 *     0 102 255, scale 0.3922, zero 102: sum 20.00
 */
