/* SPDX-License-Identifier: MIT */
#include "depthwise.h"

depthwise_fn ISK_FN(depthwise_f32);

static void store(const struct depthwise *d, const struct span_tile *t, size_t row, const vf sums[SPAN],
                  const vi *x_sums)
{
	store_sums(d, t, row, sums, x_sums, ISK_F32, ISK_F32);
}

void ISK_FN(depthwise_f32)(const struct call *call)
{
	depthwise(call, store, ISK_F32, ISK_F32);
}
