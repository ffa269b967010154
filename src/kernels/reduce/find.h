/* SPDX-License-Identifier: MIT */
/* Finds the position of an extreme in a block. */
#ifndef ISK_FIND_H
#define ISK_FIND_H

#include "kernel.h"

/* The index of the first of n elements that equals value, or of the first NaN if value is NaN; n if there is none. */
ISK_INLINE size_t find_vf(const void *x, size_t n, float value, const enum isk_type type)
{
	for (size_t i = 0; i < n; i += VL) {
		const size_t now = n - i < VL ? n - i : VL;
		const vf v = vf_load_as(x, i, now, type);
		const vm hit = value == value ? vf_eq(v, vf_set1(value)) : vf_unordered(v, v);
		const unsigned bits = vm_bits(vm_and(hit, vm_first(now)));

		if (bits)
			return i + (size_t)__builtin_ctz(bits);
	}
	return n;
}

ISK_INLINE size_t find_vd(const double *x, size_t n, double value, const enum isk_type type)
{
	size_t i = 0;

	(void)type;
	while (i < n && !(x[i] == value || (value != value && x[i] != x[i])))
		i++;
	return i;
}

/* The same for elements a stride apart. */
#define ISK_FIND_STRIDED(V, lane)                                              \
	ISK_INLINE size_t find_strided_##V(const char *x, size_t n, size_t step, lane value, const enum isk_type type) \
	{                                                                          \
		for (size_t i = 0; i < n; i++, x += step * isk_element_bytes(type)) {  \
			const lane e = V##_load_as(x, 0, 1, type)[0];                      \
                                                                               \
			if (e == value || (value != value && e != e))                      \
				return i;                                                      \
		}                                                                      \
		return n;                                                              \
	}
ISK_FIND_STRIDED(vf, float)
ISK_FIND_STRIDED(vd, double)

#endif
