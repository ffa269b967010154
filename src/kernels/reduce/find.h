/* SPDX-License-Identifier: MIT */
/* Finds the position of an extreme in a block. */
#ifndef ISK_FIND_H
#define ISK_FIND_H

#include "of_type.h"

/* Tells for each lane whether it equals value or, if value is NaN, whether it is NaN. */
ISK_INLINE truths is_value(vec v, lane value)
{
	return value == value ? ISK_WORD(eq)(v, splat(value)) : unordered(v, v);
}

/* The same for one number. */
ISK_INLINE int is_value_one(lane x, lane value)
{
	return value == value ? x == value : x != x;
}

ISK_INLINE vmd are_double(const elem *x, size_t i, size_t n, double value)
{
	const vd v = vd_load_as(x, i, n, TYPE);

	return value == value ? vd_eq(v, vd_set1(value)) : vd_unordered(v, v);
}

/* The same for VL elements from x[i] on, of which there are n. */
ISK_INLINE vm are_value(const elem *x, size_t i, size_t n, lane value)
{
	vmd low;
	vf v;

	if (TYPE == ISK_F64) {
		low = are_double(x, i, n, (double)value);
		return vm_halves(low, n > VD ? are_double(x, i + VD, n - VD, (double)value) : low);
	}
	v = vf_load_as(x, i, n, TYPE);
	return value == value ? vf_eq(v, vf_set1((float)value)) : vf_unordered(v, v);
}

/* The index of the first of n elements that equals value, or of the first NaN if value is NaN; n if there is none. */
__attribute__((noinline)) static size_t find(const elem *x, size_t n, lane value)
{
	size_t i = 0;

	/* Four vectors at a time, because a branch takes longer than a comparison. */
	for (; n - i >= 4 * COUNT; i += 4 * COUNT) {
		truths hit = is_value(load(x, i, COUNT), value);

#pragma GCC unroll 3
		for (size_t v = 1; v < 4; v++)
			hit |= is_value(load(x, i + v * COUNT, COUNT), value);
		if (any(hit))
			break;
	}
	for (; i < n; i += VL) {
		const size_t now = n - i < VL ? n - i : VL;
		const unsigned bits = vm_bits(vm_and(are_value(x, i, now, value), vm_first(now)));

		if (bits)
			return i + (size_t)__builtin_ctz(bits);
	}
	return n;
}

/* The same for elements a stride apart. */
ISK_INLINE size_t find_strided(const elem *x, size_t n, size_t step, lane value)
{
	for (size_t i = 0; i < n; i++, x += step)
		if (is_value_one(load_one(x, 0), value))
			return i;
	return n;
}

#endif
