/* SPDX-License-Identifier: MIT */
/* The check of indices given by the caller, before anything is written. */
#ifndef ISK_INDICES_H
#define ISK_INDICES_H

#include "kernel.h"

/*
 * Whether each of count indices is from 0 to below - 1. x or last - x is negative if x is out of range: if x >= 0,
 * last - x does not overflow. If below is more than the type of indices holds, no index is too large.
 */
ISK_INLINE int indices_below(const void *index, size_t count, size_t below, const enum isk_type type)
{
	if (!below)
		return !count;
	if (type == ISK_S32) {
		const vu last = (vu)vi_set1(below > INT32_MAX ? INT32_MAX : (int32_t)below - 1);
		vi over = {0};

		for (size_t i = 0; i < count; i += VL) {
			const vi x = vi_load_as(index, i, count - i, ISK_S32);

			over |= x | (vi)(last - (vu)x);
		}
		return !vm_any(vi_gt(vi_set1(0), over));
	} else {
		const uint64_t last = below > INT64_MAX ? INT64_MAX : below - 1;
		vul over = {0};

		for (size_t i = 0; i < count; i += VD) {
			const vul x = (vul)vd_load_as(index, i, count - i, ISK_F64);

			over |= x | (last - x);
		}
		return !vm_any(vi_gt(vi_set1(0), (vi)(over & 0x8000000000000000)));
	}
}

ISK_INLINE size_t index_at(const void *index, size_t i, const enum isk_type type)
{
	return type == ISK_S32 ? (size_t)((const int32_t *)index)[i] : (size_t)((const int64_t *)index)[i];
}

#endif
