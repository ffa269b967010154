/* SPDX-License-Identifier: MIT */
/*
 * Tests which threads do the work. Every kernel that an isk_parallel_ form may call is defined in front of the library's
 * (noted.py), and notes its calling thread. A call waits, for a while, until as many threads as the test
 * expects are there.
 *
 *     test_threads        in TAP
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../by_name.h"
#include "isakern_omp.h"
#include "noted.h"

enum { MOST = 1 << 22, THREADS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t one_more = PTHREAD_COND_INITIALIZER;
static pthread_t seen[64];
static size_t expected, entered; /* distinct threads */

void noted(void)
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

/* Kernels are called by names made at run time. Without this reference the linker would leave the library out. */
__attribute__((used)) static __typeof(isk_parallel_gemm_f32) *const needed = isk_parallel_gemm_f32;

static unsigned char *a, *b, *packed;
static const struct isk_post quantizes = {.size = sizeof(quantizes), .out_scale = 20000};

/* The rows of each product in a batch, and the pixels of each row of an image. */
enum { EACH = 16, BYTES = 8 * EACH * 64 * 256 };

/*
 * Calls the form with one size of each shape, where m counts products or rows; c gets the result. Small
 * packings are not worth a second thread.
 */
static int call(const struct isk_kernel *kernel, void *c, size_t m, size_t n, size_t k)
{
	const struct isk_conv conv = {.size = sizeof(conv), .images = 1, .height = m, .width = EACH,
	                              .channels = k, .out_channels = n, .kernel_h = 1, .kernel_w = 1,
	                              .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1,
	                              .groups = 1};
	const int batched = argument_of(kernel, "batch") != NULL;
	const int narrow = isk_element_bytes(isk_argument_type(kernel, &kernel->shape->arguments[0])) == 1;
	const struct {
		const char *name;
		size_t value;
	} sizes[] = {{"batch", m}, {"m", batched ? EACH : m}, {"n", n}, {"k", k}, {"ldc", n}, {"lda", k}, {"ldb", n},
	             {"stride_c", EACH * n}, {"stride_a", EACH * k}, {"bytes", MOST}};
	const struct {
		const char *name;
		const void *value;
	} pointers[] = {{"c", c}, {"y", c}, {"a", a}, {"x", a}, {"b", b}, {"w", b}, {"packed", packed}, {"conv", &conv},
	                {"post", narrow ? &quantizes : NULL}};
	const struct isk_kernel *both[] = {packer_of(kernel, 0), kernel};
	int status = ISK_OK;

	for (int i = 0; i < 2 && status == ISK_OK; i++) {
		union isk_args args = {{0}};

		if (!both[i])
			continue;
		for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
			set_size(both[i], &args, sizes[s].name, sizes[s].value);
		for (size_t p = 0; p < sizeof(pointers) / sizeof(pointers[0]); p++)
			set_pointer(both[i], &args, pointers[p].name, pointers[p].value);
		both[i]->call(function_of(i ? "isk_parallel_" : "isk_", both[i]), &args);
		status = args.result.status;
	}
	return status;
}

static unsigned char *results[THREADS + 1];
static int tests, failed;

/* One call by the calling thread: exactly this many threads must work, and the bytes must be the same. */
static void try(const struct isk_kernel *kernel, const char *what, size_t m, size_t n, size_t k, size_t threads)
{
	int status, same;

	entered = 0;
	expected = threads;
	memset(results[1], 0x5a, BYTES);
	status = call(kernel, results[1], m, n, k);
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

/* Calls from every thread of a team: each works alone. */
static void in_team(const struct isk_kernel *kernel, size_t m, size_t n, size_t k)
{
	int wrong = 0;

	entered = 0;
	expected = 1; /* one after another, because they share the packed matrix */
#pragma omp parallel num_threads(THREADS) reduction(+ : wrong)
	{
		unsigned char *c = results[1 + omp_get_thread_num()];

		memset(c, 0x5a, BYTES);
#pragma omp critical
		wrong += call(kernel, c, m, n, k) != 0 || memcmp(results[0], c, BYTES) != 0;
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
	/* Numbers from 1 to 2 in every floating-point type. */
	for (size_t i = 0; i < MOST / 2; i++) {
		((uint16_t *)(void *)a)[i] = (uint16_t)(0x3f80 | (i * 2654435761u >> 20 & 0x7f));
		((uint16_t *)(void *)b)[i] = (uint16_t)(0x3f80 | (i * 2246822519u >> 20 & 0x7f));
	}
	omp_set_dynamic(0);
	for (size_t i = 0; i < isk_kernels_count; i++) {
		const struct isk_kernel *k = &isk_kernels[i];

		if (!written_form(k))
			continue;
		expected = 1;
		memset(results[0], 0x5a, BYTES);
		omp_set_num_threads(1);
		if (call(k, results[0], 64, 256, 256))
			return 99;
		try(k, "on one thread", 64, 256, 256, 1);
		omp_set_num_threads(THREADS);
		try(k, "on four", 64, 256, 256, THREADS);
		in_team(k, 64, 256, 256);
		memset(results[0], 0x5a, BYTES);
		omp_set_num_threads(1);
		if (call(k, results[0], 4, 16, 8))
			return 99;
		omp_set_num_threads(THREADS);
		try(k, "on four, with little to do", 4, 16, 8, 1);
	}
	printf("1..%d\n", tests);
	return failed || !tests;
}
