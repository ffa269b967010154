/* SPDX-License-Identifier: MIT */
/* How many threads a call gets, and the share of each. */
#ifndef ISK_THREADS_H
#define ISK_THREADS_H

#include <stddef.h>

struct range {
	size_t at, count;
};

/*
 * The number of threads for `work`, of which each is to have at least `least`. It is 1 in a child of fork() and inside a
 * parallel region that does not nest.
 */
__attribute__((visibility("hidden"))) size_t isk_threads_for(double work, double least);

/* Share i of n, in whole units of `unit`. The first shares may be one unit longer than the others. */
static inline struct range share(size_t total, size_t unit, size_t i, size_t n)
{
	const size_t units = total / unit + (total % unit != 0), each = units / n, more = units % n;
	const size_t first = i * each + (i < more ? i : more), count = each + (i < more);
	const size_t at = first * unit < total ? first * unit : total;

	return (struct range){at, count * unit < total - at ? count * unit : total - at};
}

#endif
