/* SPDX-License-Identifier: MIT */
/* For secure_getenv(), which finds nothing in a program that runs with another user's rights. */
#define _GNU_SOURCE
#include "threads.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static const char variable[] = "ISAKERN_NUM_THREADS";

/* The number of threads that the variable asks for; 0: it is not set, and OpenMP's own number counts. */
static int asked;

/*
 * Whether this process is a child of fork(), which has none of its parent's
 * threads. GNU's run-time library waits for them for ever. fork() sets this by a
 * handler, since a call of getpid() is a system call, which would make each product
 * of small matrices slower.
 */
static int is_forked;

/* Whether OMP_DYNAMIC=false says that the number of threads is not to change by itself. */
static int is_fixed;

/* Whether OMP_WAIT_POLICY=passive says that waiting threads are not to spin. */
static int is_passive;

static void note_fork(void)
{
	is_forked = 1;
}

static void read_variables(void)
{
	const char *value = secure_getenv(variable), *dynamic = secure_getenv("OMP_DYNAMIC");
	const char *policy = secure_getenv("OMP_WAIT_POLICY");
	char *end;
	long number;

	is_fixed = dynamic && strcasecmp(dynamic, "false") == 0;
	is_passive = policy && strcasecmp(policy, "passive") == 0;
	if (!value || !*value)
		return;
	number = strtol(value, &end, 10);
	if (*value >= '0' && *value <= '9' && !*end && number >= 1 && number <= ISK_MOST_THREADS)
		asked = (int)number;
	else
		fprintf(stderr, "isakern: %s: '%s' ignored; allowed: 1 to %d\n", variable, value, ISK_MOST_THREADS);
}

/* Without the handler no fork would be noticed, so a failure to install it means one thread. */
__attribute__((constructor)) static void on_load(void)
{
	is_forked = pthread_atfork(NULL, NULL, note_fork) != 0;
	read_variables();
}

/*
 * Microseconds for which a call has waited for other threads lately, in the mean, beyond the time of its own share. On idle
 * CPUs it is 0. If other programs use the CPUs, a thread may get one only after some milliseconds, while a call of level 2
 * takes 20 to 100 us. It becomes less while calls do without threads, so that some call tries them again.
 */
static _Atomic double waited;

enum { NEW = 8, OLD = 256 }; /* a call that waits changes `waited` by 1 / NEW of the difference, one that does not by 1 / OLD */

void isk_waits(double own, double wait)
{
	const double before = atomic_load_explicit(&waited, memory_order_relaxed), beyond = wait > own ? wait - own : 0;

	atomic_store_explicit(&waited, before + (beyond - before) / NEW, memory_order_relaxed);
}

int isk_is_forked(void)
{
	return is_forked;
}

int isk_is_fixed(void)
{
	return is_fixed;
}

int isk_is_passive(void)
{
	return is_passive;
}

/* Whether threads would save less time than they have cost lately. */
static int are_late(double work, double least)
{
	const double before = atomic_load_explicit(&waited, memory_order_relaxed);

	if (is_fixed || before < 1 || work >= 2 * least * (1 + before / ISK_LEAST_US))
		return 0;
	atomic_store_explicit(&waited, before - before / OLD, memory_order_relaxed);
	return 1;
}

size_t isk_threads_for(double work, double least)
{
	int most;

	if (work < 2 * least || is_forked || omp_get_active_level() >= omp_get_max_active_levels()
	    || are_late(work, least))
		return 1;
	most = asked ? asked : omp_get_max_threads();
	return work < most * least ? (size_t)(work / least) : (size_t)most;
}
