/* SPDX-License-Identifier: MIT */
/* How many threads a call gets, and the share of each. */
#ifndef ISK_THREADS_H
#define ISK_THREADS_H

#include <stddef.h>

/* The largest ISAKERN_NUM_THREADS, beyond any machine. */
#define ISK_MOST_THREADS 4096

/*
 * Each thread reads and writes at least this many bytes, because it takes 3 us to wake it (bench/parallel on two cores of
 * Zen 5 in a virtual machine), as long as one core takes for relu of 700 KiB in its second-level cache.
 */
#define ISK_BYTES_A_THREAD ((size_t)512 << 10)

/*
 * Multiply-adds that each thread must have, some 5 us. A thread that was busy less than some ms ago still spins and takes
 * 0.6 us to begin (two cores of Zen 4).
 */
#define ISK_STEPS_A_THREAD (1 << 18)

/* The threads of a crew (crew.h) begin a call in less than an eighth of the time of others, so an eighth of that work is enough. */
#define ISK_CREW_GAIN 8

/* Microseconds that the least work of a thread takes, roughly. */
#define ISK_LEAST_US 4

struct range {
	size_t at, count;
};

/*
 * The number of threads for `work`, of which each is to have at least `least`. It is 1 in a child of fork(), inside a
 * parallel region that does not nest, and if calls of isk_each() have waited for threads for longer than they would save.
 */
__attribute__((visibility("hidden"))) size_t isk_threads_for(double work, double least);

/* Whether this process is a child of fork(), which has none of its parent's threads. */
__attribute__((visibility("hidden"))) int isk_is_forked(void);

/* Whether OMP_DYNAMIC=false says that the number of threads is not to change by itself. */
__attribute__((visibility("hidden"))) int isk_is_fixed(void);

/* Whether OMP_WAIT_POLICY=passive says that waiting threads are not to spin. */
__attribute__((visibility("hidden"))) int isk_is_passive(void);

/* Notes that a thread waited for the others for `wait` microseconds after its own share, which took `own` of CPU time. */
__attribute__((visibility("hidden"))) void isk_waits(double own, double wait);

/* Calls body(data, i) for i from 0 to count - 1, on `threads` threads. One thread does not enter OpenMP, which takes 1 us. */
__attribute__((visibility("hidden"))) void isk_each(size_t count, size_t threads, void (*body)(const void *data, size_t i),
                                                    const void *data);

/* Share i of n, in whole units of `unit`. The first shares may be one unit longer than the others. */
static inline struct range share(size_t total, size_t unit, size_t i, size_t n)
{
	const size_t units = total / unit + (total % unit != 0), each = units / n, more = units % n;
	const size_t first = i * each + (i < more ? i : more), count = each + (i < more);
	const size_t at = first * unit < total ? first * unit : total;

	return (struct range){at, count * unit < total - at ? count * unit : total - at};
}

#endif
