/* SPDX-License-Identifier: MIT */
/*
 * Sums in parts: for every kernel that has them and many lengths, the result of the parts has the bits of the kernel's own
 * call; the parts of sums and dot products have those of a plain computation in the order that sum_tree.h describes; and
 * wrong calls are refused and write nothing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "isakern.h"

enum { MOST = 1 << 17, LEAST = 4096, PARTS = MOST / LEAST };

static int tests, failed;
static float a32[MOST], b32[MOST];
static double a64[MOST], b64[MOST];
static isk_bf16 a16[MOST], b16[MOST];
static isk_f16 ah[MOST], bh[MOST];
static struct isk_partial parts[PARTS];

static void check(int right, const char *what, const char *which)
{
	failed += !right;
	printf("%sok %d - %s%s%s\n", right ? "" : "not ", ++tests, what, *which ? ": " : "", which);
}

/* Numbers whose sums round: of both signs, and of sizes from 2^-8 to 2^8. */
static void fill(float *x, unsigned seed)
{
	for (size_t i = 0; i < MOST; i++) {
		seed = seed * 1664525 + 1013904223;
		x[i] = ldexpf((float)(seed >> 9) / (1 << 22) - 1, (int)(seed >> 4) % 17 - 8);
	}
}

/* The kernel's own result for arrays of n elements. */
static double own_result(const char *name, const void *const array[2], size_t n, size_t incx)
{
	union isk_args args = {0};
	const struct isk_kernel *k = isk_kernels;
	int arrays = 0;

	while (strcmp(k->name, name) != 0)
		k++;
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *const a = &k->shape->arguments[i];
		void *const at = isk_argument_at(&args, a);

		if (a->role == ISK_IN)
			*(const void **)at = array[arrays++];
		else
			*(size_t *)at = a->role == ISK_SIZE ? n : incx;
	}
	k->call(isk_bound(name), &args);
	return isk_result_type(k) == ISK_F64 ? args.result.f64 : (double)args.result.f32;
}

/* Whether the result of parts of this length is the kernel's own one. */
static int is_equal(const char *kernel, const void *const array[2], size_t n, size_t incx, size_t length)
{
	const size_t count = n / length + (n % length != 0);
	const double own = own_result(kernel, array, n, incx);
	double result = -1;

	return isk_partial_sums(parts, kernel, array[0], array[1], n, incx, length) == ISK_OK
	       && isk_partial_result(&result, kernel, parts, count, n) == ISK_OK
	       && (result == own ? signbit(result) == signbit(own) : own != own && result != result);
}

static void test_kernel(const char *op, const char *type, const void *const array[2], size_t incx)
{
	static const size_t lengths[] = {0, 1, 7, 16, 17, 100, 4095, 4096, 4097, 8192, 12288, 20000, 65536, 98304, 98305, MOST};
	char kernel[32];
	int right = 1;

	snprintf(kernel, sizeof(kernel), "%s_%s", op, type);
	for (size_t length = LEAST; length <= MOST; length *= 2)
		for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
			if (!is_equal(kernel, array, lengths[i] / incx, incx, length)) {
				printf("# %zu elements in parts of %zu\n", lengths[i] / incx, length);
				right = 0;
			}
	check(right, "the result of parts has the bits of one call", kernel);
}

static void test_kernels(void)
{
	static const char *const ops[] = {"sum", "mean", "asum", "sumsq", "dot", "l2sq", "l1", "cosine"};
	static const char *const strided[] = {"sum_strided", "mean_strided", "asum_strided", "sumsq_strided"};
	static const struct {
		const char *type;
		const void *array[2];
	} types[] = {{"f32", {a32, b32}}, {"f64", {a64, b64}}, {"bf16", {a16, b16}}, {"f16", {ah, bh}}};

	for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
		for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
			test_kernel(ops[i], types[t].type, types[t].array, 1);
		for (size_t i = 0; i < sizeof(strided) / sizeof(strided[0]); i++)
			test_kernel(strided[i], types[t].type, types[t].array, 2);
	}
}

/* A block of 2048 products in f32: 64 lanes of 32 products, added in order, and folded to 16. */
static void dot_line(float line[16], const float *a, const float *b, int is_fused)
{
	float lanes[64] = {0};

	for (size_t i = 0; i < 2048; i++)
		lanes[i % 64] = is_fused ? fmaf(a[i], b[i], lanes[i % 64]) : lanes[i % 64] + a[i] * b[i];
	for (int half = 32; half >= 16; half /= 2)
		for (int i = 0; i < half; i++)
			lanes[i] += lanes[i + half];
	memcpy(line, lanes, 16 * sizeof(*line));
}

/* A block of 2048 numbers in f64: 32 lanes of 32 sums of two, and folded to 8. */
static void sum_line(double line[8], const double *x)
{
	double lanes[32] = {0};

	for (size_t round = 0; round < 2048; round += 64)
		for (size_t i = 0; i < 32; i++)
			lanes[i] += x[round + i] + x[round + 32 + i];
	for (int half = 16; half >= 8; half /= 2)
		for (int i = 0; i < half; i++)
			lanes[i] += lanes[i + half];
	memcpy(line, lanes, 8 * sizeof(*line));
}

static void test_lines(void)
{
	const int is_fused = strcmp(isk_isa_current(), isk_isa_name(0)) != 0 || !strncmp(isk_isa_name(0), "neon", 4);
	float first[16], second[16];
	double low[8], high[8];

	dot_line(first, a32, b32, is_fused);
	dot_line(second, a32 + 2048, b32 + 2048, is_fused);
	for (int i = 0; i < 16; i++)
		first[i] += second[i];
	check(isk_partial_sums(parts, "dot_f32", a32, b32, 4096, 1, 4096) == ISK_OK && !memcmp(parts[0].line[0], first, sizeof(first)),
	      "a part has the bits of a plain computation in its order", "dot_f32");
	sum_line(low, a64);
	sum_line(high, a64 + 2048);
	for (int i = 0; i < 8; i++)
		low[i] += high[i];
	check(isk_partial_sums(parts, "sum_f64", a64, NULL, 4096, 1, 4096) == ISK_OK && !memcmp(parts[0].line[0], low, sizeof(low)),
	      "a part has the bits of a plain computation in its order", "sum_f64");
}

static void refuses(int status, const char *kernel, const void *a, const void *b, size_t incx, size_t length, const char *what)
{
	struct isk_partial before[2];

	memset(parts, 0x5a, sizeof(before));
	memcpy(before, parts, sizeof(before));
	check(isk_partial_sums(parts, kernel, a, b, 5000, incx, length) == status && !memcmp(parts, before, sizeof(before)),
	      "refused, and nothing is written", what);
}

static void test_refusals(void)
{
	double result = 5;

	refuses(ISK_ERR_NULL, NULL, a32, NULL, 1, 4096, "no kernel");
	refuses(ISK_ERR_NULL, "sum_f32", NULL, NULL, 1, 4096, "no array");
	refuses(ISK_ERR_NULL, "dot_f32", a32, NULL, 1, 4096, "no second array");
	refuses(ISK_ERR_KERNEL, "prod_f32", a32, NULL, 1, 4096, "prod_f32");
	refuses(ISK_ERR_KERNEL, "sum_s64", a64, NULL, 1, 4096, "sum_s64");
	refuses(ISK_ERR_KERNEL, "dot_strided_f32", a32, b32, 1, 4096, "dot_strided_f32");
	refuses(ISK_ERR_KERNEL, "sum", a32, NULL, 1, 4096, "a name without a type");
	refuses(ISK_ERR_SIZE, "sum_f32", a32, NULL, 1, 2048, "a length of 2048");
	refuses(ISK_ERR_SIZE, "sum_f32", a32, NULL, 1, 6144, "a length of 6144");
	refuses(ISK_ERR_SIZE, "sum_f32", a32, NULL, 1, 0, "a length of 0");
	refuses(ISK_ERR_STRIDE, "sum_f32", a32, NULL, 2, 4096, "elements apart");
	check(isk_partial_result(NULL, "sum_f32", parts, 1, 1) == ISK_ERR_NULL
	          && isk_partial_result(&result, "sum_f32", NULL, 1, 1) == ISK_ERR_NULL
	          && isk_partial_result(&result, "max_f32", parts, 1, 1) == ISK_ERR_KERNEL && result == 5,
	      "results are refused alike", "");
}

int main(void)
{
	fill(a32, 1);
	fill(b32, 2);
	for (size_t i = 0; i < MOST; i++) {
		a64[i] = (double)a32[i] / 3;
		b64[i] = (double)b32[i] / 7;
	}
	isk_cvt_f32_bf16(a16, a32, MOST);
	isk_cvt_f32_bf16(b16, b32, MOST);
	isk_cvt_f32_f16(ah, a32, MOST);
	isk_cvt_f32_f16(bh, b32, MOST);
	test_kernels();
	test_lines();
	test_refusals();
	printf("1..%d\n", tests);
	return failed != 0;
}
