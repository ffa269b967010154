/* SPDX-License-Identifier: MIT */
/*
 * Prefetches of vectors of 64 bytes, for loops that wait for memory. Where arrays do not begin with a cache line, each such
 * vector lies in two of them, and the CPU's own prefetcher does little: Zen 5 reads two arrays of 8 MiB at 32 to 38 GB/s,
 * and at 50 to 54 with these prefetches. Loops with vectors of 32 bytes are as fast without them, and slower with them.
 *
 * Times as fast with prefetches (Zen 5): 8 MiB that begin 16 bytes after a line, in pages of 4 KiB: add 1.1 to 1.2, eq 1.4 to
 * 1.5, dot 1.4, sum 1.3, max 1.4; 10^6 elements of numpy's arrays, of f64, in pages of 2 MiB: eq 1.3, dot 0.9 to 1.3, sum 1.05,
 * max 1.1 to 1.3. If arrays begin with a line: two of them 0.8 to 1.3, max 0.88 to 0.98, sum 0.86 to 1.2, so that those are
 * read without prefetches. No gain: maps, select, adam.
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

/* Whether an array is larger than the second-level cache of most CPUs. */
#define ISK_AHEAD_FROM ((size_t)1 << 20)
ISK_INLINE int isk_is_large(size_t n, const size_t bytes)
{
	return VL == 16 && __builtin_expect(n > ISK_AHEAD_FROM / bytes, 0);
}

/*
 * Zips and comparisons of 32 and 64 bits prefetch from ISK_ZIP_FROM bytes on, unless all inputs begin with a cache line: in
 * pages of 2 MiB, 4 * 10^6 bytes take 1.05 of the time with prefetches, twice as many 0.8 to 0.9 (Zen 5).
 */
#define ISK_ZIP_FROM ((size_t)1 << 22)

/*
 * A loop over n elements of `bytes` bytes, `round` of them at a time, prefetches while more than this number remain: never
 * if the array is not large (in the first level, a prefetch takes as long as a load) or gains nothing, and not beyond its end,
 * because a prefetch of a page that is not mapped takes 5 ns.
 */
ISK_INLINE size_t isk_last_ahead(size_t n, size_t round, const size_t bytes, int gains)
{
	return isk_is_large(n, bytes) && gains ? ISK_AHEAD / bytes + round : n;
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
