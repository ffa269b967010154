/* SPDX-License-Identifier: MIT */
/*
 * Calls every kernel of the table on real data, by its public name, and says
 * what each is bound to. What it computes is not looked at here: on an emulator
 * that stops at instructions its CPU has not, that the program comes to its end
 * is the result.
 *
 *      all_kernels             prints "bound KERNEL ISA" for each, then a count
 *      all_kernels ISA         calls the ISA's relu_f32 whether it is usable or not
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isakern.h"
#include "isk_tables.h"

enum { MOST = 1100, ROWS = 5 };

typedef float type_f32;
typedef isk_bf16 type_bf16;
typedef isk_f16 type_f16;
typedef int8_t type_s8;
typedef uint8_t type_u8;
typedef int32_t type_s32;

static const size_t sizes[] = {0,  1,  2,  3,  4,  5,  7,   8,   9,   15,  16,  17,
                               31, 32, 33, 63, 64, 65, 127, 128, 129, 257, MOST};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

static float a[ROWS * MOST], b[ROWS * MOST];
static double out[ROWS * MOST]; /* room for elements of any type */
static size_t calls;

static void fill(void)
{
	static const float special[] = {0, -0.0f, 1, -1, 1e-41f, -1e-41f, 3e38f, -3e38f, 88, -88, 65504, 1e5f};

	for (size_t i = 0; i < ROWS * MOST; i++) {
		a[i] = (float)(i % 97) / 8 - 6;
		b[i] = (float)(i * 7 % 113) / 16 - 3;
		if (i % 50 == 49)
			a[i] = i % 100 == 99 ? special[i / 100 % (sizeof(special) / sizeof(special[0]))]
			                     : (i % 300 == 149 ? NAN : INFINITY);
	}
}

#define EVERY_SIZE for (size_t s = 0, n; s < SIZES && (n = sizes[s], 1); s++, calls++)

#define X(k, T)                                                                \
	static void call_##k(void)                                                 \
	{                                                                          \
		EVERY_SIZE isk_##k((type_##T *)out, (const type_##T *)a, n);           \
	}
ISK_KERNELS_map(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(void)                                                 \
	{                                                                          \
		EVERY_SIZE isk_##k((type_##T *)out, (const type_##T *)a, (const type_##T *)b, n); \
	}
ISK_KERNELS_zip(X)
#undef X

#define X(k, F, T)                                                             \
	static void call_##k(void)                                                 \
	{                                                                          \
		EVERY_SIZE isk_##k((type_##T *)out, (const type_##F *)a, n);           \
	}
ISK_KERNELS_cvt(X)
#undef X

#define X(k, F, T)                                                             \
	static void call_##k(void)                                                 \
	{                                                                          \
		EVERY_SIZE isk_##k((type_##T *)out, (const type_##F *)a, n, 0.0625f, 3); \
	}
ISK_KERNELS_quantize(X)
ISK_KERNELS_dequantize(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(void)                                                 \
	{                                                                          \
		EVERY_SIZE out[s] = (double)isk_##k((const type_##T *)a, n);           \
	}
ISK_KERNELS_reduce(X)
ISK_KERNELS_index(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(void)                                                 \
	{                                                                          \
		EVERY_SIZE out[s] = (double)isk_##k((const type_##T *)a, (const type_##T *)b, n); \
	}
ISK_KERNELS_reduce2(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(void)                                                 \
	{                                                                          \
		EVERY_SIZE isk_##k((type_##T *)out, (const type_##T *)a, ROWS, n, n, MOST); \
	}
ISK_KERNELS_softmax(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(void)                                                 \
	{                                                                          \
		EVERY_SIZE isk_##k((type_##T *)out, (const type_##T *)a, (const type_##T *)b, \
		                   s % 2 ? (const type_##T *)b : NULL, ROWS, n, n, MOST, 1e-5f); \
	}
ISK_KERNELS_norm(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(void)                                                 \
	{                                                                          \
		EVERY_SIZE isk_##k((type_##T *)out, (const type_##T *)a, ROWS, n, MOST); \
	}
ISK_KERNELS_pool(X)
#undef X

static const struct {
	size_t m, n, depth;
} shapes[] = {{1, 1, 1},    {3, 5, 7},    {1, 16, 64}, {4, 33, 17},
              {13, 48, 31}, {29, 70, 37}, {2, 16, 0},  {0, 4, 4}};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static void *room(enum isk_type type, size_t k, size_t n)
{
	void *packed = aligned_alloc(64, (isk_packed_size(type, k, n) + 63) / 64 * 64);

	if (!packed)
		abort();
	return packed;
}

#define TYPE_f32  ISK_F32
#define TYPE_bf16 ISK_BF16
#define TYPE_f16  ISK_F16
#define TYPE_s8   ISK_S8

static void must(const char *kernel, int status)
{
	calls++;
	if (status) {
		printf("%s: %s\n", kernel, isk_strerror(status));
		exit(1);
	}
}

#define X(k, T)                                                                \
	static void call_##k(void)                                                 \
	{                                                                          \
		for (int i = 0; i < 2 * SHAPES; i++) {                                 \
			const size_t depth = shapes[i / 2].depth, n = shapes[i / 2].n;         \
			const size_t ld = i % 2 ? (depth ? depth : 1) : n;                 \
			void *packed = room(TYPE_##T, depth, n);                           \
                                                                               \
			must(#k, isk_##k(packed, (const type_##T *)b, isk_packed_size(TYPE_##T, depth, n), depth, n, \
			                 ld, i % 2));                                      \
			free(packed);                                                      \
		}                                                                      \
	}
ISK_KERNELS_pack(X)
#undef X

/* An s32 C has no post-operations of this kind. */
#define LAST_ACT(C) (strcmp(#C, "s32") ? (int)ISK_ACT_SILU : -1)

#define X(k, A, B, C)                                                          \
	static void call_##k(void)                                                 \
	{                                                                          \
		for (int i = 0; i < SHAPES; i++) {                                     \
			const size_t m = shapes[i].m, n = shapes[i].n, depth = shapes[i].depth; \
			void *packed = room(TYPE_##B, depth, n);                           \
                                                                               \
			must(#k, isk_gemm_pack_##B(packed, (const type_##B *)b, isk_packed_size(TYPE_##B, depth, n), \
			                           depth, n, n, 0));                       \
			for (int act = -1; act <= LAST_ACT(C); act++) {                    \
				struct isk_post post = {.size = sizeof(post), .out_scale = sizeof(type_##C) == 1}; \
                                                                               \
				if (act >= 0) {                                                \
					post.scale = post.bias = b;                                \
					post.scales = 1;                                           \
					post.act = (enum isk_activation)act;                       \
					post.act_a = -1;                                           \
					post.act_b = 1;                                            \
					post.binary = ISK_BINARY_ADD;                              \
					post.other = b;                                            \
					post.ldother = n;                                          \
				}                                                              \
				must(#k, isk_##k((type_##C *)out, (const type_##A *)a, packed, m, n, depth, n, \
				                 depth ? depth : 1, &post));                   \
			}                                                                  \
			free(packed);                                                      \
		}                                                                      \
	}
ISK_KERNELS_gemm(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(void)                                                 \
	{                                                                          \
		EVERY_SIZE isk_##k(out, a, ROWS, n / 2, ROWS, MOST / 2);               \
		EVERY_SIZE isk_##k(out, a, n / 2, ROWS, MOST / 2, ROWS);               \
		EVERY_SIZE isk_##k(out, a, n / 24, n / 24, n / 24, n / 24);            \
	}
ISK_KERNELS_transpose(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(void)                                                 \
	{                                                                          \
		EVERY_SIZE isk_##k(out, a, 1 + n % 3, ROWS, n / 3);                    \
		EVERY_SIZE isk_##k(out, a, 1 + n % 3, n / 3, ROWS);                    \
	}
ISK_KERNELS_images(X)
#undef X

#define EVERY_PRODUCT                                                          \
	for (unsigned i = 0; i < 4 * SHAPES; i++)                                  \
		for (size_t m = shapes[i / 4].m, n = shapes[i / 4].n, depth = shapes[i / 4].depth, ld = 75, once = 1; once; \
		     once = 0)

#define X(k, T)                                                                \
	static void call_##k(void)                                                 \
	{                                                                          \
		const struct isk_post post = {.size = sizeof(post), .bias = b, .act = ISK_ACT_RELU}; \
                                                                               \
		EVERY_PRODUCT                                                          \
		{                                                                      \
			must(#k, isk_##k((type_##T *)out, (const type_##T *)a, (const type_##T *)b, m, n, depth, ld, ld, ld, \
			                 i % 4, NULL));                                    \
			must(#k, isk_##k((type_##T *)out, (const type_##T *)a, (const type_##T *)b, m, n, depth, ld, ld, ld, \
			                 i % 4, &post));                                   \
		}                                                                      \
	}
ISK_KERNELS_matmul(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(void)                                                 \
	{                                                                          \
		EVERY_PRODUCT                                                          \
		must(#k, isk_##k((type_##T *)out, (const type_##T *)a, (const type_##T *)b, 2, m, n, depth, n, ld, ld, \
		                 m *n, 1, 0, i % 4, NULL));                            \
	}
ISK_KERNELS_matmul_batch(X)
#undef X

/* Depthwise, in two groups, and in one, with and without padding; 1 by 1. */
static const struct isk_conv convs[] = {
	{sizeof(convs[0]), 1, 9, 11, 20, 20, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 20, 0, 0},
	{sizeof(convs[0]), 1, 9, 11, 20, 20, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, 20, 0, 0},
	{sizeof(convs[0]), 2, 5, 9, 6, 12, 2, 5, 1, 2, 1, 2, 0, 3, 1, 3, 6, 0, 0},
	{sizeof(convs[0]), 2, 7, 9, 6, 34, 3, 2, 1, 2, 1, 1, 1, 0, 0, 1, 2, 7, 35},
	{sizeof(convs[0]), 1, 1, 30, 17, 33, 1, 3, 1, 1, 1, 2, 0, 2, 0, 0, 1, 0, 0},
	{sizeof(convs[0]), 1, 4, 5, 19, 18, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0},
};
enum { CONVS = sizeof(convs) / sizeof(convs[0]) };

#define X(k, T)                                                                \
	static void call_##k(void)                                                 \
	{                                                                          \
		for (int i = 0; i < CONVS; i++) {                                      \
			const size_t bytes = isk_conv_packed_size(TYPE_##T, &convs[i]);    \
			void *packed = aligned_alloc(64, bytes);                           \
                                                                               \
			if (!packed)                                                       \
				abort();                                                       \
			must(#k, isk_##k(packed, (const type_##T *)b, bytes, &convs[i]));  \
			free(packed);                                                      \
		}                                                                      \
	}
ISK_KERNELS_conv_pack(X)
#undef X

#define X(k, A, B, C)                                                          \
	static void call_##k(void)                                                 \
	{                                                                          \
		for (int i = 0; i < CONVS; i++) {                                      \
			const size_t bytes = isk_conv_packed_size(TYPE_##B, &convs[i]);    \
			void *packed = aligned_alloc(64, bytes);                           \
                                                                               \
			if (!packed)                                                       \
				abort();                                                       \
			must(#k, isk_conv_pack_##B(packed, (const type_##B *)b, bytes, &convs[i])); \
			for (int act = -1; act <= LAST_ACT(C); act++) {                    \
				struct isk_post post = {.size = sizeof(post), .out_scale = sizeof(type_##C) == 1};\
                                                                               \
				if (act >= 0) {                                                \
					post.bias = b;                                             \
					post.act = (enum isk_activation)act;                       \
				}                                                              \
				must(#k, isk_##k((type_##C *)out, (const type_##A *)a, packed, &convs[i], &post)); \
			}                                                                  \
			free(packed);                                                      \
		}                                                                      \
	}
ISK_KERNELS_conv(X)
#undef X

#define X(k)                                                                   \
	static void call_##k(void)                                                 \
	{                                                                          \
		out[0] = (double)isk_##k();                                            \
		calls++;                                                               \
	}
ISK_KERNELS_query(X)
#undef X

/* A kernel of a shape that is not above does not compile: it has no call_. */
#define X(k, ...) {#k, call_##k},
static const struct {
	const char *name;
	void (*call)(void);
} kernels[] = {ISK_KERNELS(X)};
#undef X

static const char *bound_isa(const char *kernel)
{
	struct isk_candidate c[32];
	const int n = isk_candidates(kernel, c, 32);

	for (int i = 0; i < n; i++)
		if (c[i].bound)
			return c[i].isa;
	return "none";
}

int main(int argc, char **argv)
{
	struct isk_candidate c[32];
	const int n = isk_candidates("relu_f32", c, 32);

	fill();
	for (int i = 0; argc > 1 && i < n; i++)
		if (strcmp(c[i].isa, argv[1]) == 0)
			((__typeof(isk_relu_f32) *)c[i].fn)((float *)out, a, MOST);
	if (argc > 1)
		return 0;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		const size_t before = calls;

		kernels[i].call();
		printf("bound %s %s %s\n", kernels[i].name, bound_isa(kernels[i].name),
		       calls > before ? "called" : "");
		fflush(stdout);
	}
	printf("level %s\nkernels=%zu calls=%zu\n", isk_isa_current(), sizeof(kernels) / sizeof(kernels[0]),
	       calls);
	return 0;
}
