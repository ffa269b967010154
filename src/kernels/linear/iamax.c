/* SPDX-License-Identifier: MIT */
/*
 * The position of the largest |x[i]|. No number is above a NaN that comes first, and a NaN elsewhere is above none, so that
 * comparisons as reference BLAS makes them, one by one, never find it. The largest of a block is found first, and then its
 * position, if it is above all before it.
 */
#include "iamax_kernels.h"
#include "of_type.h"

/* A block is read a second time if it has a new extreme, so it is small beside the first-level cache. */
enum { BLOCK = 1024, VECTORS = 4 };

/* The largest |x[i]| of n elements; NaNs do not count, and 0 is the least. */
ISK_INLINE lane largest(const elem *x, size_t n)
{
	vec most[VECTORS];
	lane lanes[COUNT], found = 0;
	size_t i = 0;

	for (int v = 0; v < VECTORS; v++)
		most[v] = splat(0);
	for (; n - i >= VECTORS * COUNT; i += VECTORS * COUNT)
#pragma GCC unroll 4
		for (int v = 0; v < VECTORS; v++)
			most[v] = maximum(magnitude(load(x, i + (size_t)v * COUNT, COUNT)), most[v]);
	for (; i < n; i += COUNT)
		most[0] = maximum(magnitude(load(x, i, n - i)), most[0]);
	store_lanes(lanes, 0, maximum(maximum(most[0], most[1]), maximum(most[2], most[3])), COUNT);
	for (int l = 0; l < COUNT; l++)
		found = lanes[l] > found ? lanes[l] : found;
	return found;
}

size_t KERNEL(iamax)(const elem *x, size_t n)
{
	size_t at = 0;
	lane most;

	if (!n)
		return 0;
	most = x[0] < 0 ? -x[0] : x[0];
	for (size_t i = 0; i < n; i += BLOCK) {
		const lane size = largest(x + i, n - i < BLOCK ? n - i : BLOCK);

		if (size > most) {
			most = size;
			for (at = i; x[at] != most && x[at] != -most; at++)
				;
		}
	}
	return at;
}
