/* SPDX-License-Identifier: MIT */
/*
 * Weights in files, packed and multiplied by the ISA that the environment allows. portable.py runs this under
 * each cap.
 *
 *     stored isas                 the names of all ISAs, lowest first
 *     stored pack DIRECTORY       files for each kernel that packs; prints the ISA of each
 *     stored multiply DIRECTORY   maps them; prints "KERNEL ISA BITS HASH" for each product
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "../candidates.h"
#include "../by_name.h"
#include "isakern.h"

enum { M = 9, N = 83, K = 131, GROUP = 32 };

/* Two groups with a padding, and a depthwise one; both read the same x. */
#define CONVOLUTION(...)                                                       \
	{                                                                          \
		.size = sizeof(struct isk_conv), .images = 2, .height = 9, .width = 11, .channels = 34, .kernel_h = 3, \
		.kernel_w = 3, .stride_h = 1, .dilation_h = 1, .dilation_w = 1, .pad_top = 1, .pad_left = 1, .pad_bottom = 1, \
		.pad_right = 1, __VA_ARGS__                                            \
	}
static const struct isk_conv convolutions[] = {
	CONVOLUTION(.out_channels = 38, .stride_w = 2, .groups = 2),
	CONVOLUTION(.out_channels = 34, .stride_w = 1, .groups = 34),
};

enum {
	CONVOLUTIONS = sizeof(convolutions) / sizeof(convolutions[0]),
	PIXELS = 2 * 9 * 11,
	CHANNELS = 38,
	ROOM = PIXELS * CHANNELS > CHANNELS * CHANNELS * 9 ? PIXELS * CHANNELS : CHANNELS * CHANNELS * 9,
};

/* Quantizes an 8-bit result, without other post-operations. */
static const struct isk_post output = {.size = sizeof(output), .out_scale = 64};

static float scales[(K + GROUP - 1) / GROUP * N];
static const struct isk_groups groups = {sizeof(groups), GROUP, scales, N};

static uint64_t in[ROOM], out[ROOM]; /* room for elements of any type */

/* The same on every machine: sevenths, whose sums round in every order; integers in 8 bits. */
static void fill(void *x, enum isk_type type, size_t n)
{
	const double scale = isk_element_bytes(type) == 1 ? 4 : 1;

	for (size_t i = 0; i < n; i++)
		isk_element_set(type, x, i, (long double)(((double)(i * 2654435761u % 251) / 7 - 18) * scale));
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

/* A matrix of weights as one kernel packs it: of a convolution, or of a product. */
struct weights {
	const struct isk_kernel *packer;
	const struct isk_conv *conv;
	enum isk_type type;
	char name[96];
	size_t bytes, matrices;
};

static int count_of(const struct isk_kernel *k)
{
	return argument_of(k, "conv") ? CONVOLUTIONS : 1;
}

static struct weights weights_of(const struct isk_kernel *packer, int i)
{
	struct weights w = {.packer = packer, .type = isk_argument_type(packer, packed_of(packer, ISK_OUT)), .matrices = 1};

	snprintf(w.name, sizeof(w.name), "%s-%d", packer->name, i);
	if (argument_of(packer, "conv")) {
		/* Depthwise weights are one matrix, otherwise each group is one. */
		const int transposed = strcmp(packed_of(packer, ISK_OUT)->measured, "transposed") == 0;

		w.conv = &convolutions[i];
		w.bytes = transposed ? isk_conv_transpose_packed_size(w.type, w.conv) : isk_conv_packed_size(w.type, w.conv);
		w.matrices = w.conv->groups == (transposed ? w.conv->out_channels : w.conv->channels) ? 1 : w.conv->groups;
	} else if (argument_of(packer, "groups")) {
		w.bytes = isk_packed_groups_size(w.type, K, N, &groups);
	} else {
		w.bytes = isk_packed_size(w.type, K, N);
	}
	return w;
}

/* Sets the sizes and arrays that all calls share; a kernel takes those that it has. */
static void set_all(const struct isk_kernel *k, union isk_args *args, const struct isk_conv *conv)
{
	const struct {
		const char *name;
		size_t value;
	} sizes[] = {{"m", M}, {"n", N}, {"k", K}, {"ldc", N}, {"lda", K}, {"ldb", N}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		set_size(k, args, sizes[i].name, sizes[i].value);
	set_pointer(k, args, "conv", conv);
	set_pointer(k, args, "groups", &groups);
}

static void pack(const char *directory, const struct weights *w)
{
	unsigned char *packed = malloc(w->bytes);
	FILE *file = file_of(directory, w->name, "wb");
	union isk_args args = {{0}};

	if (!packed)
		exit(99);
	fill(in, w->type, w->conv ? CHANNELS * CHANNELS * 9 : K * N);
	set_all(w->packer, &args, w->conv);
	set_pointer(w->packer, &args, "b", in);
	set_pointer(w->packer, &args, "w", in);
	set_pointer(w->packer, &args, "packed", packed);
	set_size(w->packer, &args, "bytes", w->bytes);
	w->packer->call(function_of("isk_", w->packer), &args);
	must(w->name, args.result.status);
	if (fwrite(packed, 1, w->bytes, file) != w->bytes || fclose(file))
		must(w->name, ISK_ERR_SPACE);
	free(packed);
}

static uint64_t hash(const void *x, size_t bytes)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < bytes; i++)
		h = (h ^ ((const unsigned char *)x)[i]) * 0x100000001b3u;
	return h;
}

/* Maps the packed matrices of a file, and checks the first one. */
static const void *map(const char *directory, const struct weights *w)
{
	FILE *file = file_of(directory, w->name, "rb");
	struct stat stat;
	const void *mapped = mmap(NULL, w->bytes, PROT_READ, MAP_PRIVATE, fileno(file), 0);

	if (mapped == MAP_FAILED || fstat(fileno(file), &stat) || (size_t)stat.st_size != w->bytes)
		must(w->name, ISK_ERR_SPACE);
	must(w->name, isk_packed_check(mapped, w->bytes / w->matrices, w->type));
	fclose(file);
	return mapped;
}

static void multiply(const char *directory, const struct isk_kernel *k, const struct weights *w)
{
	struct isk_kernel_info info = {.size = sizeof(info)};
	const struct isk_argument *c = &k->shape->arguments[0], *a = &k->shape->arguments[1];
	const void *packed = map(directory, w);
	union isk_args args = {{0}};

	memset(out, 0, sizeof(out));
	fill(in, isk_argument_type(k, a), w->conv ? PIXELS * CHANNELS : M * K);
	set_all(k, &args, w->conv);
	set_pointer(k, &args, c->name, out);
	set_pointer(k, &args, a->name, in);
	set_pointer(k, &args, "packed", packed);
	set_pointer(k, &args, "post", isk_element_bytes(isk_argument_type(k, c)) == 1 ? &output : NULL);
	k->call(function_of("isk_", k), &args);
	must(k->name, args.result.status);
	munmap((void *)(uintptr_t)packed, w->bytes);
	isk_kernel_info((size_t)isk_kernel_find(k->name), &info);
	printf("%s:%s %s %s %016llx\n", w->name, k->name, bound_isa(isk_candidates, k->name), info.bits,
	       (unsigned long long)hash(out, sizeof(out)));
}

int main(int argc, char **argv)
{
	const int packing = argc == 3 && strcmp(argv[1], "pack") == 0;

	for (size_t i = 0; argc == 2 && strcmp(argv[1], "isas") == 0 && isk_isa_name(i); i++)
		printf("%s\n", isk_isa_name(i));
	if (argc == 2)
		return 0;
	if (!packing && (argc != 3 || strcmp(argv[1], "multiply") != 0))
		return 2;
	fill(scales, ISK_F32, sizeof(scales) / sizeof(scales[0]));
	for (size_t i = 0; i < isk_kernels_count; i++) {
		const struct isk_kernel *k = &isk_kernels[i];

		for (int j = 0; j < count_of(k); j++) {
			if (packing && packed_of(k, ISK_OUT)) {
				const struct weights w = weights_of(k, j);

				pack(argv[2], &w);
				printf("%s %s\n", k->name, bound_isa(isk_candidates, k->name));
			}
			/* Only kernels that multiply floats by integers take scales for groups. */
			for (int grouped = 0; !packing && packed_of(k, ISK_IN) && grouped <= (k->types[0] == ISK_F32); grouped++)
				if (packer_of(k, grouped)) {
					const struct weights w = weights_of(packer_of(k, grouped), j);

					multiply(argv[2], k, &w);
				}
		}
	}
	return 0;
}
