/* SPDX-License-Identifier: MIT */
/*
 * A product on many threads has the bits of one on a single thread.
 *
 *     cc threads.c $(pkg-config --cflags --libs isakern-omp)
 *     OMP_NUM_THREADS=8 ./a.out
 */
#include <isakern_omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 300, N = 200, K = 256 };

static float a[M * K], b[K * N], one[M * N], many[M * N];

int main(void)
{
	const size_t bytes = isk_packed_size(ISK_F32, K, N);
	void *packed = aligned_alloc(64, (bytes + 63) / 64 * 64);
	int status = packed ? ISK_OK : ISK_ERR_NULL;

	/* One seed: b continues the sequence after a. */
	isk_normal_f32(a, M * K, 1, 0);
	isk_normal_f32(b, K * N, 1, M * K);
	if (status == ISK_OK)
		status = isk_gemm_pack_f32(packed, b, bytes, K, N, N, 0);
	if (status == ISK_OK)
		status = isk_gemm_f32(one, a, packed, M, N, K, N, K, NULL);
	if (status == ISK_OK)
		status = isk_parallel_gemm_f32(many, a, packed, M, N, K, N, K, NULL);
	free(packed);
	if (status != ISK_OK) {
		fprintf(stderr, "threads: %s\n", isk_strerror(status));
		return 1;
	}
	printf("%s\n", memcmp(one, many, sizeof(one)) == 0 ? "the same bits" : "other bits");
	return 0;
}

/*
 * prints
 *
 *     the same bits
 */
