/* SPDX-License-Identifier: MIT */
#include "threads.h"

#include <omp.h>
#include <pthread.h>

/*
 * Whether this process is a child of fork(), which has none of its parent's
 * threads. GNU's run-time library waits for them for ever. fork() sets this by a
 * handler, since a call of getpid() is a system call, which would make each product
 * of small matrices slower.
 */
static int is_forked;

static void note_fork(void)
{
	is_forked = 1;
}

/* Without the handler no fork would be noticed, so a failure to install it means one thread. */
__attribute__((constructor)) static void watch_forks(void)
{
	is_forked = pthread_atfork(NULL, NULL, note_fork) != 0;
}

size_t isk_threads_for(double work, double least)
{
	const int most = omp_get_max_threads();

	if (work < 2 * least || is_forked || omp_get_active_level() >= omp_get_max_active_levels())
		return 1;
	return work < most * least ? (size_t)(work / least) : (size_t)most;
}
