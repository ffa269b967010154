/* SPDX-License-Identifier: MIT */
/* Copies of runs of bytes. */
#ifndef ISK_RUNS_H
#define ISK_RUNS_H

#include "kernel.h"

/*
 * Copies n bytes, or writes n zeros if from is NULL. A function, because sources call it in several places, and runs are
 * seldom so short that the call shows.
 */
static __attribute__((noinline)) void copy_bytes(char *to, const char *from, size_t n)
{
	const vi zeros = vi_set1(0);

#pragma GCC unroll 1
	for (size_t i = 0; i < n; i += 4 * VL)
		vi_store_bytes(to + i, from ? vi_load_bytes(from + i, n - i) : zeros, n - i);
}

#endif
