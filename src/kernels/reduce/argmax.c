/* SPDX-License-Identifier: MIT */
/* The position of the largest element: the maximum block by block, then one
 * search through the block that had it. */
#include "argmax_kernels.h"
#include "trees.h"

/* Small enough to be in the first-level cache still when it is searched. */
#define BLOCK 1024

/* The first of n elements that equals the value, or is NaN if that is NaN. */
ISK_INLINE size_t find(const float *x, size_t n, float value)
{
	for (size_t i = 0; i < n; i += VL) {
		const size_t now = n - i < VL ? n - i : VL;
		const vf v = vf_load_as(x, i, now, ISK_F32);
		const vm hit = value == value ? vf_eq(v, vf_set1(value)) : vf_unordered(v, v);
		const unsigned bits = vm_bits(vm_and(hit, vm_first(now)));

		if (bits)
			return i + (size_t)__builtin_ctz(bits);
	}
	return n;
}

size_t ISK_FN(argmax_f32)(const float *x, size_t n)
{
	float best = -__builtin_inff();
	size_t at = 0;

	for (size_t i = 0; i < n; i += BLOCK) {
		const size_t now = n - i < BLOCK ? n - i : BLOCK;
		const struct maximum_vf max = reduce_max_vf(x, i, now, ISK_F32);
		vm more = vm_first(0);

		if (max.nan)
			return i + find(x + i, now, __builtin_nanf(""));
		for (int v = 0; v < 16 / VL; v++)
			more = vm_or(more, vf_gt(max.lanes.v[v], vf_set1(best)));
		if (vm_any(more)) {
			best = vf_fold_max(max.lanes.v);
			at = i;
		}
	}
	return n ? at + find(x + at, n - at < BLOCK ? n - at : BLOCK, best) : 0;
}
