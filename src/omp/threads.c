/* SPDX-License-Identifier: MIT */
/* For secure_getenv(), which finds nothing in a program that runs with another user's rights. */
#define _GNU_SOURCE
#include "threads.h"

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

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

static void note_fork(void)
{
	is_forked = 1;
}

static void read_variable(void)
{
	const char *value = secure_getenv(variable);
	char *end;
	long number;

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
	read_variable();
}

size_t isk_threads_for(double work, double least)
{
	int most;

	if (work < 2 * least || is_forked || omp_get_active_level() >= omp_get_max_active_levels())
		return 1;
	most = asked ? asked : omp_get_max_threads();
	return work < most * least ? (size_t)(work / least) : (size_t)most;
}
