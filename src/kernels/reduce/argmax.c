/* SPDX-License-Identifier: MIT */
/* The position of the largest element: the maximum block by block, then one
 * search through the first block that has it. */
#include "argmax_kernels.h"
#include "find.h"
#include "sum_tree.h"

/* Elements of a block. It is short, because the search reads it a second time. */
#define BLOCK 1024

size_t ISK_FN(argmax_f32)(const float *x, size_t n)
{
	float best = -__builtin_inff();
	size_t at = 0;

	for (size_t i = 0; i < n; i += BLOCK) {
		const size_t now = n - i < BLOCK ? n - i : BLOCK;
		const struct maximum_vf max = reduce_max_vf(x, i, now, ISK_F32);
		vm more = vm_first(0);

		if (max.nan)
			return i + find_vf(x + i, now, __builtin_nanf(""), ISK_F32);
		for (int v = 0; v < 16 / VL; v++)
			more = vm_or(more, vf_gt(max.lanes.v[v], vf_set1(best)));
		if (vm_any(more)) {
			best = vf_fold_max(max.lanes.v);
			at = i;
		}
	}
	return n ? at + find_vf(x + at, n - at < BLOCK ? n - at : BLOCK, best, ISK_F32) : 0;
}
