/* SPDX-License-Identifier: MIT */
/*
 * Weights that are packed once, on any CPU, and mapped from their file by whoever uses them, without a copy.
 *
 *     cc packed_file.c $(pkg-config --cflags --libs isakern)
 *     ./a.out weights.isk                                      written if it is not there
 */
#include <fcntl.h>
#include <isakern.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { K = 3, N = 2 };

static int save(const char *path)
{
	const float weights[K][N] = {{1, 2}, {3, 4}, {5, 6}};
	const size_t bytes = isk_packed_size(ISK_F32, K, N);
	void *packed = malloc(bytes);
	FILE *f = fopen(path, "wbx");
	int ok = packed && f && isk_gemm_pack_f32(packed, weights[0], bytes, K, N, N, 0) == ISK_OK && fwrite(packed, bytes, 1, f) == 1;

	free(packed);
	return (!f || fclose(f) == 0) && ok;
}

int main(int argc, char **argv)
{
	const char *path = argc == 2 ? argv[1] : "weights.isk";
	const int fd = access(path, F_OK) == 0 || save(path) ? open(path, O_RDONLY) : -1;
	struct stat about = {0};
	void *packed = fd >= 0 && fstat(fd, &about) == 0 ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
	const float x[K] = {1, 10, 100};
	float y[N];

	if (packed == MAP_FAILED) {
		perror(path);
		return 1;
	}
	/* The file may come from anybody, and kernels would read beyond the end of a truncated one. */
	int status = isk_packed_check(packed, (size_t)about.st_size, ISK_F32);
	if (status == ISK_OK)
		status = isk_gemm_f32(y, x, packed, 1, N, K, N, K, NULL);
	if (status == ISK_OK)
		printf("%g %g\n", (double)y[0], (double)y[1]);
	else
		fprintf(stderr, "%s: %s\n", path, isk_strerror(status));
	return status != ISK_OK;
}

/*
 * prints
 *
 *     531 642
 */
