/* SPDX-License-Identifier: MIT */
/*
 * Prefetches for loops that read memory by vectors of 64 bytes. If an array does not begin with a cache line, each vector
 * lies in two lines, and the CPU's own prefetcher does little: Zen 5 reads two such arrays of 8 MiB at 32 to 38 GB/s, and
 * at 50 to 54 with these prefetches. Vectors of 32 bytes are read as fast without prefetches, and slower with them.
 *
 * Times as fast with prefetches (Zen 5): 8 MiB that begin 16 bytes after a line, in pages of 4 KiB: add 1.1 to 1.2, eq 1.4 to
 * 1.5, dot 1.4, sum 1.3, max 1.4; 10^6 elements of numpy's arrays, of f64, in pages of 2 MiB: eq 1.3, dot 0.9 to 1.3, sum 1.05,
 * max 1.1 to 1.3. Arrays that begin with a line are read without prefetches: two of them 0.8 to 1.3, max 0.88 to 0.98, sum
 * 0.86 to 1.2. No gain: maps, select, adam.
 */
#ifndef ISK_AHEAD_H
#define ISK_AHEAD_H

#include "kernel.h"

/* The distance of the prefetches in bytes. */
#define ISK_AHEAD ((size_t)4096)

/* Whether vectors from p on lie in two cache lines; p may be NULL, which does not. */
ISK_INLINE int isk_is_split(const void *p)
{
	return (uintptr_t)p % 64 != 0;
}

/*
 * Whether zips and comparisons prefetch, unless all inputs begin with a cache line: in pages of 2 MiB, 4 * 10^6 bytes take
 * 1.05 of the time with prefetches, twice as many 0.8 to 0.9 (Zen 5). Elements of 8 and 16 bits were not tried.
 */
#define ISK_ZIP_FROM ((size_t)1 << 22)
ISK_INLINE int isk_is_large_zip(size_t n, const size_t bytes)
{
	return VL == 16 && bytes > 2 && __builtin_expect(n > ISK_ZIP_FROM / bytes, 0);
}

/*
 * A loop over n elements of `bytes` bytes, `round` of them at a time, prefetches while more than this number remain. It does
 * not if it gains nothing, or if the array has at most ISK_AHEAD_FROM bytes, which the second level of most CPUs holds (in the
 * first level, a prefetch takes as long as a load). It does not beyond the end of the array, because a prefetch of a page
 * that is not mapped takes 5 ns.
 */
#define ISK_AHEAD_FROM ((size_t)1 << 20)
ISK_INLINE size_t isk_last_ahead(size_t n, size_t round, const size_t bytes, int gains)
{
	return VL == 16 && __builtin_expect(n > ISK_AHEAD_FROM / bytes, 0) && gains ? ISK_AHEAD / bytes + round : n;
}

/* Prefetches what a round that reads `bytes` bytes from p on, is to read later. */
ISK_INLINE void isk_prefetch_ahead(const void *p, const size_t bytes)
{
#pragma GCC unroll 16
	for (size_t i = 0; i < bytes; i += 64)
		__builtin_prefetch((const char *)p + ISK_AHEAD + i);
}

/* A function for many elements, apart from its kernel, so that few elements meet no code for prefetches. */
#define ISK_AHEAD_FUNCTION static __attribute__((noinline, cold, unused)) void

#endif
