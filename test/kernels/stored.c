/* SPDX-License-Identifier: MIT */
/*
 * Weights in files, packed and multiplied by whatever ISA the environment lets
 * be bound: for portable.py, which runs this under each.
 *
 *      stored pack DIRECTORY       a file for each kernel that packs; prints the ISA of each
 *      stored multiply DIRECTORY   maps them; prints "KERNEL ISA BITS HASH" for each product
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "isakern.h"
#include "oracle.h"

enum { M = 9, N = 83, K = 131 };

/* Two groups with a padding, and depthwise; both take x as it is. */
static const struct isk_conv convolutions[] = {
	{.size = sizeof(convolutions[0]),
     .images = 2,
     .height = 9,
     .width = 11,
     .channels = 34,
     .out_channels = 38,
     .kernel_h = 3,
     .kernel_w = 3,
     .stride_h = 1,
     .stride_w = 2,
     .dilation_h = 1,
     .dilation_w = 1,
     .pad_top = 1,
     .pad_left = 1,
     .pad_bottom = 1,
     .pad_right = 1,
     .groups = 2},
	{.size = sizeof(convolutions[0]),
     .images = 2,
     .height = 9,
     .width = 11,
     .channels = 34,
     .out_channels = 34,
     .kernel_h = 3,
     .kernel_w = 3,
     .stride_h = 1,
     .stride_w = 1,
     .dilation_h = 1,
     .dilation_w = 1,
     .pad_top = 1,
     .pad_left = 1,
     .pad_bottom = 1,
     .pad_right = 1,
     .groups = 34},
};

enum { CONVOLUTIONS = sizeof(convolutions) / sizeof(convolutions[0]), PIXELS = 2 * 9 * 11, CHANNELS = 38 };

#define TYPE_f32  ISK_F32
#define TYPE_bf16 ISK_BF16
#define TYPE_f16  ISK_F16
#define TYPE_s8   ISK_S8

/* How 8-bit inputs and results are quantized; nothing else follows a sum. */
static const struct isk_post input = {.size = sizeof(input), .out_scale = 0.25f};
static const struct isk_post output = {.size = sizeof(output), .out_scale = 64};
static const struct isk_post none = {.size = sizeof(none)};

/* The same on every machine: sevenths, of which no sum of floats is exact. */
#define FILL(T, x, n)                                                          \
	for (size_t i = 0; i < (n); i++)                                           \
		(x)[i] = isk_oracle_round_##T((double)(i * 2654435761u % 251) / 7 - 18, &input);

static const char *bound_isa(const char *kernel)
{
	struct isk_candidate c[16];
	const int n = isk_candidates(kernel, c, 16);

	for (int i = 0; i < n; i++)
		if (c[i].bound)
			return c[i].isa;
	return "none";
}

static const char *bits_of(const char *kernel)
{
	struct isk_kernel_info info;

	for (size_t i = 0; isk_kernel_info(i, &info) == ISK_OK; i++)
		if (strcmp(info.name, kernel) == 0)
			return info.bits;
	return "?";
}

static FILE *file_of(const char *directory, const char *name, const char *mode)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, mode);
	if (!file) {
		perror(path);
		exit(2);
	}
	return file;
}

static void must(const char *what, int status)
{
	if (status) {
		printf("%s: %s\n", what, isk_strerror(status));
		exit(2);
	}
}

#define X(k, T)                                                                \
	static void do_##k(const char *directory)                                  \
	{                                                                          \
		static ISK_C_##T b[K * N];                                             \
		const size_t bytes = isk_packed_size(TYPE_##T, K, N);                  \
		void *packed = malloc(bytes);                                          \
		FILE *file = file_of(directory, #T, "wb");                             \
                                                                               \
		FILL(T, b, (size_t)K *N)                                               \
		must(#k, packed ? isk_##k(packed, b, bytes, K, N, N, 0) : ISK_ERR_NULL); \
		if (fwrite(packed, 1, bytes, file) != bytes || fclose(file))           \
			must(#k, ISK_ERR_SPACE);                                           \
		free(packed);                                                          \
		printf("%s %s\n", #k, bound_isa(#k));                                  \
	}
ISK_KERNELS_pack(X)
#undef X

#define X(k, T)                                                                \
	static void do_##k(const char *directory)                                  \
	{                                                                          \
		static ISK_C_##T w[CHANNELS * CHANNELS * 9];                           \
                                                                               \
		FILL(T, w, sizeof(w) / sizeof(*w))                                     \
		for (size_t i = 0; i < CONVOLUTIONS; i++) {                            \
			const size_t bytes = isk_conv_packed_size(TYPE_##T, &convolutions[i]); \
			void *packed = malloc(bytes);                                      \
			FILE *file = file_of(directory, i ? "conv1-" #T : "conv0-" #T, "wb"); \
                                                                               \
			must(#k, packed ? isk_##k(packed, w, bytes, &convolutions[i]) : ISK_ERR_NULL); \
			if (fwrite(packed, 1, bytes, file) != bytes || fclose(file))       \
				must(#k, ISK_ERR_SPACE);                                       \
			free(packed);                                                      \
		}                                                                      \
		printf("%s %s\n", #k, bound_isa(#k));                                  \
	}
ISK_KERNELS_conv_pack(X)
#undef X

static uint64_t hash(const unsigned char *x, size_t bytes)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < bytes; i++)
		h = (h ^ x[i]) * 0x100000001b3u;
	return h;
}

/* A file of so many packed matrices of a size, of which the first one is checked. */
static const void *map(const char *directory, const char *name, size_t bytes, size_t matrices,
                       enum isk_type type)
{
	FILE *file = file_of(directory, name, "rb");
	struct stat stat;
	const void *mapped = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fileno(file), 0);

	if (mapped == MAP_FAILED || fstat(fileno(file), &stat) || (size_t)stat.st_size != bytes)
		must(name, ISK_ERR_SPACE);
	must(name, isk_packed_check(mapped, bytes / matrices, type));
	fclose(file);
	return mapped;
}

#define X(k, A, B, C)                                                          \
	static void do_##k(const char *directory)                                  \
	{                                                                          \
		static ISK_C_##A a[M * K];                                             \
		static ISK_C_##C c[M * N];                                             \
		const size_t bytes = isk_packed_size(TYPE_##B, K, N);                  \
		const void *packed = map(directory, #B, bytes, 1, TYPE_##B);              \
                                                                               \
		FILL(A, a, (size_t)M *K)                                               \
		must(#k, isk_##k(c, a, packed, M, N, K, N, K, sizeof(*c) == 1 ? &output : &none)); \
		munmap((void *)(uintptr_t)packed, bytes);                              \
		printf("%s %s %s %016llx\n", #k, bound_isa(#k), bits_of(#k),           \
		       (unsigned long long)hash((const unsigned char *)c, sizeof(c))); \
	}
ISK_KERNELS_gemm(X)
#undef X

#define X(k, A, B, C)                                                          \
	static void do_##k(const char *directory)                                  \
	{                                                                          \
		static ISK_C_##A x[PIXELS * CHANNELS];                                 \
		static ISK_C_##C y[PIXELS * CHANNELS];                                 \
                                                                               \
		FILL(A, x, sizeof(x) / sizeof(*x))                                     \
		for (size_t i = 0; i < CONVOLUTIONS; i++) {                            \
			const struct isk_conv *conv = &convolutions[i];                    \
			const size_t bytes = isk_conv_packed_size(TYPE_##B, conv);         \
			const void *packed =                                               \
				map(directory, i ? "conv1-" #B : "conv0-" #B, bytes, i ? 1 : conv->groups, TYPE_##B); \
                                                                               \
			memset(y, 0, sizeof(y));                                           \
			must(#k, isk_##k(y, x, packed, conv, sizeof(*y) == 1 ? &output : &none)); \
			munmap((void *)(uintptr_t)packed, bytes);                          \
			printf("%s%s %s %s %016llx\n", i ? "depthwise:" : "", #k, bound_isa(#k), bits_of(#k), \
			       (unsigned long long)hash((const unsigned char *)y, sizeof(y))); \
		}                                                                      \
	}
ISK_KERNELS_conv(X)
#undef X

int main(int argc, char **argv)
{
	if (argc != 3 || (strcmp(argv[1], "pack") && strcmp(argv[1], "multiply")))
		return 2;
#define X(k, ...) do_##k(argv[2]);
	if (strcmp(argv[1], "pack") == 0) {
		ISK_KERNELS_pack(X)
		ISK_KERNELS_conv_pack(X)
	} else {
		ISK_KERNELS_gemm(X)
		ISK_KERNELS_conv(X)
	}
#undef X
	return 0;
}
