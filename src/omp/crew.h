/* SPDX-License-Identifier: MIT */
/*
 * How a parallel form hands out its shares: to the crew of isk_with_threads(), if the calling thread leads one, else to the
 * threads of a parallel region.
 */
#ifndef ISK_CREW_H
#define ISK_CREW_H

#include "threads.h"

/* Computes share i of a call. Returns a status, 0 if there is none. */
typedef int share_fn(const void *data, size_t i);

/* The number of threads for `work`, of which each is to have at least `least`, or in a crew least / ISK_CREW_GAIN. */
__attribute__((visibility("hidden"))) size_t isk_shares_for(double work, double least);

/* Calls one(data, i) for i from 0 to count - 1, on `threads` threads. Returns the least status. */
__attribute__((visibility("hidden"))) int isk_share_out(size_t count, size_t threads, share_fn *one, const void *data);

#endif
