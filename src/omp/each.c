/* SPDX-License-Identifier: MIT */
#include "threads.h"

#include <omp.h>

void isk_each(size_t count, size_t threads, void (*body)(const void *data, size_t i), const void *data)
{
	double begin, own;

	if (threads == 1) {
		for (size_t i = 0; i < count; i++)
			body(data, i);
		return;
	}
	begin = own = omp_get_wtime();
#pragma omp parallel num_threads((int)threads)
	{
#pragma omp for schedule(dynamic, 1) nowait
		for (size_t i = 0; i < count; i++)
			body(data, i);
		if (omp_get_thread_num() == 0)
			own = omp_get_wtime();
	}
	isk_waits((own - begin) * 1e6, (omp_get_wtime() - own) * 1e6);
}
