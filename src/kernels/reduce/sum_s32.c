/* SPDX-License-Identifier: MIT */
/* The sum of 32-bit integers in 64 bits. */
#include "sum_s32_kernels.h"
#include "kernel.h"

/* The elements are raised by 2^31, so that none is negative and the halves of 64-bit lanes can be added apart. */
ISK_INLINE int64_t sum(const int32_t *x, size_t n)
{
	const size_t vectors = (n + VL - 1) / VL;
	vul even = {0}, odd = {0};
	uint64_t all = 0;

	for (size_t i = 0; i < n; i += VL) {
		const vul raised = (vul)(vi_load_bytes(x + i, 4 * (n - i)) ^ INT32_MIN);

		even += raised & 0xffffffff;
		odd += raised >> 32;
	}
	for (int i = 0; i < VD; i++)
		all += even[i] + odd[i];
	return (int64_t)(all - ((uint64_t)vectors * VL << 31));
}

#define SUM(kernel, F, T, ...)                                                 \
	ISK_C_##T ISK_FN(kernel)(const ISK_C_##F *x, size_t n)                     \
	{                                                                          \
		return sum(x, n);                                                      \
	}
ISK_EACH_sum(SUM, )
