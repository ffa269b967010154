/* SPDX-License-Identifier: MIT */
/*
 * Threads that come late (src/omp/threads.c): calls for which waiting took longer than threads could save have one thread, much
 * larger ones have all, and after some calls threads are tried again. With OMP_DYNAMIC=false nothing changes.
 *
 *      test_late           in TAP; it starts itself with OMP_DYNAMIC=false
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "threads.h"

/* Some work for two threads; the most calls after which they are tried again. */
enum { LEAST = 1000, WORK = 4 * LEAST, MOST_CALLS = 4096, LATE_US = 3000, EARLY_US = 200 };

static int count;

static void check(int holds, const char *what)
{
	printf("%sok %d - %s\n", holds ? "" : "not ", ++count, what);
	fflush(stdout);
}

/* The calling thread ends early, so that it waits for the other one. */
static void body(const void *data, size_t i)
{
	(void)data;
	(void)i;
	usleep(omp_get_thread_num() ? LATE_US : EARLY_US);
}

static void wait_for_late_threads(void)
{
	/* The calling thread takes both items if the other one has not begun by then. */
	for (int i = 0; i < 40; i++)
		isk_each(2, 2, body, NULL);
}

int main(int argc, char **argv)
{
	int calls = 0;

	omp_set_num_threads(2);
	if (argc > 1) {
		count = atoi(argv[1]);
		wait_for_late_threads();
		check(isk_threads_for(WORK, LEAST) == 2, "OMP_DYNAMIC=false: two threads even if one was late");
		return 0;
	}
	puts("1..5");
	check(isk_threads_for(WORK, LEAST) == 2, "two threads at first");
	wait_for_late_threads();
	check(isk_threads_for(WORK, LEAST) == 1, "one after threads were late");
	check(isk_threads_for(1e6 * LEAST, LEAST) == 2, "but two for a call that takes far longer than they were late");
	while (calls < MOST_CALLS && isk_threads_for(WORK, LEAST) == 1)
		calls++;
	check(calls > 64 && calls < MOST_CALLS, "two are tried again after more than 64 and less than 4096 calls");
	fflush(stdout);
	setenv("OMP_DYNAMIC", "false", 1);
	execl("/proc/self/exe", argv[0], "4", (char *)NULL);
	return 1;
}
