/* SPDX-License-Identifier: MIT */
/*
 * Products on a CPU whose second-level cache has 2 MiB, where blocks are tall (src/kernels/matrix/driver.c). The sysconf() of
 * this program says that it has. Each variant must give the bits that it gives for a few rows at a time, which no tall block
 * computes, and write nothing beside C.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "candidates.h"

static int asked;

long sysconf(int name)
{
	long (*real)(int);

	if (name == _SC_LEVEL2_CACHE_SIZE) {
		asked++;
		return 2 << 20;
	}
	*(void **)&real = dlsym(RTLD_NEXT, "sysconf");
	return real(name);
}

enum { FEW = 5, MORE = 3 /* columns beside C */ };

struct problem {
	size_t m, n, k;
	int has_post; /* bias, ReLU, and C added, so that sums go through the epilogue */
};

typedef int gemm_fn(void *c, const void *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc, size_t lda,
                    const struct isk_post *post);

static int tests, failed, is_f64;

static void *numbers(size_t count)
{
	static unsigned seed = 1;
	const size_t bytes = is_f64 ? sizeof(double) : sizeof(float);
	char *x = malloc(count * bytes);

	if (!x)
		abort();
	for (size_t i = 0; i < count; i++) {
		const float value = (float)(int)((seed = seed * 1664525 + 1013904223) >> 8) / (1 << 23) - 1;

		if (is_f64)
			((double *)(void *)x)[i] = (double)value;
		else
			((float *)(void *)x)[i] = value;
	}
	return x;
}

static void check_product(gemm_fn *fn, const char *isa, const struct problem *p)
{
	const size_t bytes = is_f64 ? sizeof(double) : sizeof(float), ldc = p->n + MORE, size = p->m * ldc * bytes;
	const enum isk_type type = is_f64 ? ISK_F64 : ISK_F32;
	void *a = numbers(p->m * p->k), *b = numbers(p->k * p->n), *bias = numbers(p->n), *first = numbers(p->m * ldc);
	void *packed = malloc(isk_packed_size(type, p->k, p->n)), *whole = malloc(size), *slices = malloc(size);
	struct isk_post post = {.size = sizeof(post), .bias = bias, .act = ISK_ACT_RELU, .binary = ISK_BINARY_ADD, .ldother = ldc};
	int status = is_f64 ? isk_gemm_pack_f64(packed, b, isk_packed_size(type, p->k, p->n), p->k, p->n, p->n, 0)
	                    : isk_gemm_pack_f32(packed, b, isk_packed_size(type, p->k, p->n), p->k, p->n, p->n, 0);
	int is_right;

	memcpy(whole, first, size);
	memcpy(slices, first, size);
	post.other = whole;
	status |= fn(whole, a, packed, p->m, p->n, p->k, ldc, p->k, p->has_post ? &post : NULL);
	for (size_t row = 0; row < p->m; row += FEW) {
		char *c = (char *)slices + row * ldc * bytes;

		post.other = c;
		status |= fn(c, (char *)a + row * p->k * bytes, packed, p->m - row < FEW ? p->m - row : FEW, p->n, p->k, ldc, p->k,
		             p->has_post ? &post : NULL);
	}
	is_right = !status && !memcmp(whole, slices, size);
	failed += !is_right;
	printf("%sok %d - gemm_%s/%s: %zux%zux%zu%s\n", is_right ? "" : "not ", ++tests, is_f64 ? "f64" : "f32", isa, p->m, p->n,
	       p->k, p->has_post ? ", C added" : "");
	free(a);
	free(b);
	free(bias);
	free(first);
	free(packed);
	free(whole);
	free(slices);
}

static void check_variant(const void *to, const char *isa, void (*fn)(void))
{
	/*
	 * Columns: several blocks, of which the last has a tile and a half, one panel, and an incomplete panel. Rows: four strips,
	 * more than the sums of a block would have room for, a last strip of other height. k: one part, and several.
	 */
	static const struct problem problems[] = {{57, 832, 1100, 0}, {300, 432, 700, 0}, {213, 400, 520, 1}, {300, 397, 1100, 0},
	                                          {56, 1040, 130, 1}, {1001, 64, 512, 0}, {90, 16, 2000, 0}};

	(void)to;
	if (!strcmp(isa, "reference")) /* has no blocks */
		return;
	for (size_t i = 0; i < sizeof(problems) / sizeof(*problems); i++)
		check_product((gemm_fn *)fn, isa, &problems[i]);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	each_variant("gemm_f32", &tests, check_variant, NULL);
	is_f64 = 1;
	each_variant("gemm_f64", &tests, check_variant, NULL);
	failed += !asked;
	printf("%sok %d - the library asked for the size of the cache\n1..%d\n", asked ? "" : "not ", tests + 1, tests + 1);
	return failed != 0;
}
