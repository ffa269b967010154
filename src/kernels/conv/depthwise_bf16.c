/* SPDX-License-Identifier: MIT */
#include "depthwise.h"

depthwise_fn ISK_FN(depthwise_bf16);

static void store(const struct depthwise *d, const struct span_tile *t, size_t row, const vf sums[SPAN],
                  const vi *x_sums)
{
	store_sums(d, t, row, sums, x_sums, ISK_BF16, ISK_BF16);
}

void ISK_FN(depthwise_bf16)(const struct call *call)
{
	depthwise(call, store, ISK_BF16, ISK_BF16);
}
