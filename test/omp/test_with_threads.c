/* SPDX-License-Identifier: MIT */
/*
 * isk_with_threads(): series of calls give what single calls give, and threads take shares of them.
 *
 *      test_with_threads           in TAP
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "isakern_omp.h"

/* A product of 2^18 multiply-adds is shared inside isk_with_threads() alone. */
enum { SIDE = 64, SERIES = 200, LARGE = 512, ELEMENTS = 1 << 20, SECONDS = 60 };

static float a[LARGE * LARGE], b[LARGE * LARGE], one[LARGE * LARGE], many[LARGE * LARGE];
static float x[ELEMENTS], y[ELEMENTS], z[ELEMENTS];

static void check(int holds, const char *what)
{
	static int count;

	printf("%sok %d - %s\n", holds ? "" : "not ", ++count, what);
	fflush(stdout);
}

static int multiply(size_t side)
{
	return isk_parallel_matmul_f32(many, a, b, side, side, side, side, side, side, 0, NULL);
}

/* Whether a product is right. */
static int is_right(size_t side)
{
	isk_matmul_f32(one, a, b, side, side, side, side, side, side, 0, NULL);
	memset(many, 0, sizeof(many));
	return multiply(side) == ISK_OK && memcmp(many, one, side * side * sizeof(*one)) == 0;
}

/* Products of which each takes the result of the one before. */
static void series(void *data)
{
	int *good = data;

	*good = 1;
	for (int i = 0; i < SERIES; i++) {
		*good &= is_right(SIDE);
		memcpy(a, many, SIDE * SIDE * sizeof(*a));
		isk_normal_f32(b, SIDE * SIDE, 3, (uint64_t)i);
		isk_scale_f32(b, b, SIDE * SIDE, .125f);
	}
}

/* Calls of other kinds: elements, a sum, one that is refused. */
static void kinds(void *data)
{
	int *good = data;

	isk_exp_f32(y, x, ELEMENTS);
	isk_parallel_exp_f32(z, x, ELEMENTS);
	*good = memcmp(y, z, sizeof(y)) == 0;
	*good &= isk_parallel_sum_f32(x, ELEMENTS) == isk_sum_f32(x, ELEMENTS);
	*good &= isk_parallel_matmul_f32(many, NULL, b, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE, 0, NULL) == ISK_ERR_NULL;
	*good &= is_right(LARGE);
}

/* Some calls, after which the crew ends while its threads may still be on their way to the first one. */
static int calls;

static void brief(void *data)
{
	int *good = data;

	*good = 1;
	for (int i = 0; i < calls; i++)
		*good &= multiply(2 * SIDE) == ISK_OK;
}

static int are_brief(void)
{
	int good = 1;

	for (calls = 0; calls < SERIES; calls += 2) {
		int each = 0;

		isk_with_threads(brief, &each);
		good &= each;
	}
	return good;
}

/* A call after threads have gone to sleep. */
static void sleepy(void *data)
{
	int *good = data;

	*good = 1;
	for (int i = 0; i < 3; i++) {
		nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
		*good &= is_right(LARGE);
	}
}

static void nested(void *data)
{
	isk_with_threads(kinds, data);
}

/* A call in a child, which has none of the threads. */
static void forked(void *data)
{
	const pid_t child = fork();
	int *good = data, status = -1;

	if (child == 0) {
		alarm(SECONDS);
		_exit(!is_right(LARGE));
	}
	*good = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0 && is_right(LARGE);
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Whether threads other than this one do a tenth of the work of products, sooner or later: CPUs may be busy with other programs. */
static void shared(void *data)
{
	const double own = seconds(CLOCK_THREAD_CPUTIME_ID), all = seconds(CLOCK_PROCESS_CPUTIME_ID);
	int *good = data;

	for (int i = 0; i < 10 * SERIES && !*good; i++) {
		multiply(LARGE);
		*good = i > 10 && seconds(CLOCK_THREAD_CPUTIME_ID) - own < .9 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - all);
	}
}

static int holds(void (*body)(void *data))
{
	int good = 0;

	isk_with_threads(body, &good);
	return good;
}

int main(void)
{
	isk_normal_f32(a, LARGE * LARGE, 1, 0);
	isk_normal_f32(b, LARGE * LARGE, 2, 0);
	isk_normal_f32(x, ELEMENTS, 3, 0);
	omp_set_num_threads(4);
	puts("1..9");
	check(holds(kinds), "elements, sums, refusals and products");
	check(holds(series), "products that depend on each other");
	check(are_brief(), "few products");
	check(holds(sleepy), "products after a while");
	check(holds(nested), "inside another call");
	check(holds(forked), "in a child of fork()");
	check(holds(shared), "threads take shares");
	omp_set_num_threads(1);
	check(holds(kinds), "on one thread");
	omp_set_num_threads(4);
	check(is_right(LARGE), "afterwards");
	return 0;
}
