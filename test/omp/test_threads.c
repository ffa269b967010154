/* SPDX-License-Identifier: MIT */
/*
 * Which threads work: every kernel that an isk_parallel_ form may call is
 * defined here, in front of the library's, and notes who calls it. A call waits,
 * for a while, until as many threads as the test expects are there.
 *
 *      test_threads        in TAP
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "isakern_omp.h"
#include "isk_tables.h"

enum { MOST = 1 << 22, THREADS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t one_more = PTHREAD_COND_INITIALIZER;
static pthread_t seen[64];
static size_t expected, entered; /* distinct threads */

static void enter(void)
{
	struct timespec until;
	size_t i = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 5;
	pthread_mutex_lock(&lock);
	while (i < entered && !pthread_equal(seen[i], pthread_self()))
		i++;
	if (i == entered && entered < sizeof(seen) / sizeof(seen[0])) {
		seen[entered++] = pthread_self();
		pthread_cond_broadcast(&one_more);
	}
	while (entered < expected && pthread_cond_timedwait(&one_more, &lock, &until) == 0)
		;
	pthread_mutex_unlock(&lock);
}

#define BOUND(kernel) ((__typeof(&isk_##kernel))isk_bound(#kernel))

/* A call of no rows or columns is a question, not work. */
#define X(kernel, A, B, C)                                                                            \
	__attribute__((visibility("default"))) int isk_##kernel(                                          \
		ISK_C_##C *c, const ISK_C_##A *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc, \
		size_t lda, const struct isk_post *post)                                                      \
	{                                                                                                 \
		if (m && n)                                                                                   \
			enter();                                                                                  \
		return BOUND(kernel)(c, a, packed, m, n, k, ldc, lda, post);                                  \
	}
ISK_KERNELS_gemm(X)
#undef X
#define X(kernel, T)                                                                                  \
	__attribute__((visibility("default"))) int isk_##kernel(                                          \
		ISK_C_##T *c, const ISK_C_##T *a, const ISK_C_##T *b, size_t m, size_t n, size_t k, size_t ldc, \
		size_t lda, size_t ldb, unsigned transposed, const struct isk_post *post)                     \
	{                                                                                                 \
		if (m && n)                                                                                   \
			enter();                                                                                  \
		return BOUND(kernel)(c, a, b, m, n, k, ldc, lda, ldb, transposed, post);                      \
	}
ISK_KERNELS_matmul(X)
#undef X
#define X(kernel, T)                                                                                  \
	__attribute__((visibility("default"))) int isk_##kernel(                                          \
		ISK_C_##T *c, const ISK_C_##T *a, const ISK_C_##T *b, size_t batch, size_t m, size_t n, size_t k, \
		size_t ldc, size_t lda, size_t ldb, size_t stride_c, size_t stride_a, size_t stride_b,        \
		unsigned transposed, const struct isk_post *post)                                             \
	{                                                                                                 \
		if (m && n)                                                                                   \
			enter();                                                                                  \
		return BOUND(kernel)(c, a, b, batch, m, n, k, ldc, lda, ldb, stride_c, stride_a, stride_b,    \
		                     transposed, post);                                                       \
	}
ISK_KERNELS_matmul_batch(X)
#undef X
#define X(kernel, A, B, C)                                                                            \
	__attribute__((visibility("default"))) int isk_##kernel(                                          \
		ISK_C_##C *y, const ISK_C_##A *x, const void *packed, const struct isk_conv *conv,            \
		const struct isk_post *post)                                                                  \
	{                                                                                                 \
		enter();                                                                                      \
		return BOUND(kernel)(y, x, packed, conv, post);                                               \
	}
ISK_KERNELS_conv(X)
#undef X

static unsigned char *a, *b, *packed;
static const struct isk_post quantizes = {.size = sizeof(quantizes), .out_scale = 20000};

#define POST(C) (sizeof(ISK_C_##C) == 1 ? &quantizes : NULL)

/* One size of each shape; c holds the result. Small ones are not worth a second thread. */
#define X(kernel, A, B, C)                                                                            \
	static int call_##kernel(void *c, size_t m, size_t n, size_t k)                                   \
	{                                                                                                 \
		const int status = isk_gemm_pack_##B(packed, (const void *)b, MOST, k, n, n, 0);              \
                                                                                                      \
		return status ? status : isk_parallel_##kernel(c, (const void *)a, packed, m, n, k, n, k, POST(C)); \
	}
ISK_KERNELS_gemm(X)
#undef X
#define X(kernel, T)                                                                                  \
	static int call_##kernel(void *c, size_t m, size_t n, size_t k)                                   \
	{                                                                                                 \
		return isk_parallel_##kernel(c, (const void *)a, (const void *)b, m, n, k, n, k, n, 0, NULL); \
	}
ISK_KERNELS_matmul(X)
#undef X
#define X(kernel, T)                                                                                  \
	static int call_##kernel(void *c, size_t m, size_t n, size_t k)                                   \
	{                                                                                                 \
		return isk_parallel_##kernel(c, (const void *)a, (const void *)b, m, 16, n, k, n, k, n, \
		                             16 * n, 16 * k, 0, 0, NULL);                                     \
	}
ISK_KERNELS_matmul_batch(X)
#undef X
/* Images of m by 16 pixels, n outputs and k channels. */
#define X(kernel, A, B, C)                                                                            \
	static int call_##kernel(void *c, size_t m, size_t n, size_t k)                                   \
	{                                                                                                 \
		const struct isk_conv conv = {.size = sizeof(conv), .images = 1, .height = m, .width = 16,    \
		                              .channels = k, .out_channels = n, .kernel_h = 1, .kernel_w = 1, \
		                              .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1, \
		                              .groups = 1};                                                   \
		const int status = isk_conv_pack_##B(packed, (const void *)b, MOST, &conv);                   \
                                                                                                      \
		return status ? status : isk_parallel_##kernel(c, (const void *)a, packed, &conv, POST(C));   \
	}
ISK_KERNELS_conv(X)
#undef X

static const struct kernel {
	const char *name;
	int (*call)(void *c, size_t m, size_t n, size_t k);
} kernels[] = {
#define X(kernel, ...) {#kernel, call_##kernel},
	ISK_KERNELS_gemm(X) ISK_KERNELS_matmul(X) ISK_KERNELS_matmul_batch(X) ISK_KERNELS_conv(X)
#undef X
};

enum { KERNELS = sizeof(kernels) / sizeof(kernels[0]), BYTES = 4 * 16 * 64 * 256 };

static unsigned char *results[THREADS + 1];
static int tests, failed;

/* One call by the calling thread, of which so many threads must work, and the same bytes come. */
static void try(const struct kernel *kernel, const char *what, size_t m, size_t n, size_t k, size_t threads)
{
	int status, same;

	entered = 0;
	expected = threads;
	memset(results[1], 0x5a, BYTES);
	status = kernel->call(results[1], m, n, k);
	same = memcmp(results[0], results[1], BYTES) == 0;
	tests++;
	if (status || entered != threads || !same) {
		failed++;
		printf("not ok %d - %s: %s\n# status %d, %zu threads work, must be %zu%s\n", tests, kernel->name,
		       what, status, entered, threads, same ? "" : ", other bytes than of one thread");
	} else {
		printf("ok %d - %s: %s: %zu\n", tests, kernel->name, what, threads);
	}
}

/* By every thread of a team, each alone. */
static void in_team(const struct kernel *kernel, size_t m, size_t n, size_t k)
{
	int wrong = 0;

	entered = 0;
	expected = 1; /* one after the other: the packed matrix is for all */
#pragma omp parallel num_threads(THREADS) reduction(+ : wrong)
	{
		unsigned char *c = results[1 + omp_get_thread_num()];

		memset(c, 0x5a, BYTES);
#pragma omp critical
		wrong += kernel->call(c, m, n, k) != 0 || memcmp(results[0], c, BYTES) != 0;
	}
	tests++;
	failed += wrong || entered != THREADS;
	printf("%sok %d - %s: called by each thread of a team, which works alone: %zu\n",
	       wrong || entered != THREADS ? "not " : "", tests, kernel->name, entered);
	fflush(stdout);
}

int main(void)
{
	a = calloc(1, MOST);
	b = calloc(1, MOST);
	packed = aligned_alloc(64, MOST);
	for (int i = 0; i <= THREADS; i++)
		results[i] = calloc(1, BYTES);
	if (!a || !b || !packed || !results[THREADS])
		return 99;
	/* From 1 to 2 in every type of floats. */
	for (size_t i = 0; i < MOST / 2; i++) {
		((uint16_t *)(void *)a)[i] = (uint16_t)(0x3f80 | (i * 2654435761u >> 20 & 0x7f));
		((uint16_t *)(void *)b)[i] = (uint16_t)(0x3f80 | (i * 2246822519u >> 20 & 0x7f));
	}
	omp_set_dynamic(0);
	for (int i = 0; i < KERNELS; i++) {
		const struct kernel *k = &kernels[i];

		expected = 1;
		memset(results[0], 0x5a, BYTES);
		omp_set_num_threads(1);
		if (k->call(results[0], 64, 256, 256))
			return 99;
		try(k, "on one thread", 64, 256, 256, 1);
		omp_set_num_threads(THREADS);
		try(k, "on four", 64, 256, 256, THREADS);
		in_team(k, 64, 256, 256);
		memset(results[0], 0x5a, BYTES);
		omp_set_num_threads(1);
		if (k->call(results[0], 4, 16, 8))
			return 99;
		omp_set_num_threads(THREADS);
		try(k, "on four, with little to do", 4, 16, 8, 1);
	}
	printf("1..%d\n", tests);
	return failed != 0;
}
