/* SPDX-License-Identifier: MIT */
/* For clock_gettime(). */
#define _GNU_SOURCE
#include "threads.h"

#include <omp.h>
#include <time.h>

/* Microseconds of CPU time of the calling thread, since it may lose its CPU during its own share, too. */
static double cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

void isk_each(size_t count, size_t threads, void (*body)(const void *data, size_t i), const void *data)
{
	double own, ended = 0;

	if (threads == 1) {
		for (size_t i = 0; i < count; i++)
			body(data, i);
		return;
	}
	own = cpu_us();
#pragma omp parallel num_threads((int)threads)
	{
#pragma omp for schedule(dynamic, 1) nowait
		for (size_t i = 0; i < count; i++)
			body(data, i);
		if (omp_get_thread_num() == 0) {
			own = cpu_us() - own;
			ended = omp_get_wtime();
		}
	}
	isk_waits(own, (omp_get_wtime() - ended) * 1e6);
}
