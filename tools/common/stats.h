/* SPDX-License-Identifier: MIT */
/* Clocks in nanoseconds, and the median. */
#ifndef STATS_H
#define STATS_H

#include <stdlib.h>
#include <time.h>

static inline double clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static inline int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median of the samples, which become sorted. */
static inline double median(double *samples, size_t count)
{
	qsort(samples, count, sizeof(*samples), compare_doubles);
	return count % 2 ? samples[count / 2] : (samples[count / 2 - 1] + samples[count / 2]) / 2;
}

#endif
