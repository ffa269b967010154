/* SPDX-License-Identifier: MIT */
/* The check of the indices of bags, before anything is written. */
#ifndef ISK_BAG_ENDS_H
#define ISK_BAG_ENDS_H

#include "indices.h"

/* Whether ends ascend and are at most count or, without ends, bags have equal length. */
ISK_INLINE int ends_are_right(const int64_t *ends, size_t bags, size_t count)
{
	int64_t last = 0;
	int wrong = 0;

	if (!ends)
		return count % bags == 0;
	for (size_t b = 0; b < bags; b++) {
		wrong |= ends[b] < last;
		last = ends[b];
	}
	return !wrong && (uint64_t)last <= count;
}

/* Whether ends and indices are in range; bags is not 0. Not inlined, because all types share it. */
static __attribute__((noinline)) int is_in_range(const void *index, const int64_t *ends, size_t rows, size_t bags,
                                                 size_t count, enum isk_type type)
{
	return ends_are_right(ends, bags, count)
	       && (type == ISK_S32 ? indices_below(index, count, rows, ISK_S32) : indices_below(index, count, rows, ISK_S64));
}

#endif
