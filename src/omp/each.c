/* SPDX-License-Identifier: MIT */
#include "threads.h"

void isk_each(size_t count, size_t threads, void (*body)(const void *data, size_t i), const void *data)
{
	if (threads == 1) {
		for (size_t i = 0; i < count; i++)
			body(data, i);
		return;
	}
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)threads)
	for (size_t i = 0; i < count; i++)
		body(data, i);
}
