/* SPDX-License-Identifier: MIT */
/* Indices that come from outside: checked before anything is written. */
#ifndef ISK_INDICES_H
#define ISK_INDICES_H

#include "kernel.h"

/* Whether each of count indices is from 0 to below - 1. Negative ones are large where they have no sign. */
ISK_INLINE int indices_below(const void *index, size_t count, size_t below, const enum isk_type type)
{
	size_t i = 0;
	int wrong = 0;

	if (!below)
		return !count;
	if (type == ISK_S32) {
		/* What s32 cannot be, no index is. */
		const int32_t last = below > INT32_MAX ? INT32_MAX : (int32_t)below - 1;
		vi over = {0};

		/* The sign of last - x, which is that of x or does not overflow, and of x. */
		for (; count - i >= VL; i += VL) {
			const vi x = vi_load((const int32_t *)index + i);

			over |= x | (vi)((vu)vi_set1(last) - (vu)x);
		}
		if (i < count) {
			const vi x = vi_load_n((const int32_t *)index + i, count - i);

			over |= x | (vi)((vu)vi_set1(last) - (vu)x);
		}
		return !vm_any(vi_gt(vi_set1(0), over));
	}
	for (; i < count; i++)
		wrong |= (uint64_t)((const int64_t *)index)[i] >= below;
	return !wrong;
}

#endif
