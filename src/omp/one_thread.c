/* SPDX-License-Identifier: MIT */
/* For a compiler without OpenMP, in place of threads.c and each.c. */
#include "threads.h"

size_t isk_threads_for(double work, double least)
{
	(void)work;
	(void)least;
	return 1;
}

void isk_each(size_t count, size_t threads, void (*body)(const void *data, size_t i), const void *data)
{
	(void)threads;
	for (size_t i = 0; i < count; i++)
		body(data, i);
}
