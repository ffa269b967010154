/* SPDX-License-Identifier: MIT */
/* Depthwise bf16 convolution, a source part of its own because AMX needs no variant of it. */
#include "depthwise.h"

drive_fn ISK_FN(depthwise_bf16);

DEFINE_STORE(store, ISK_BF16)

void ISK_FN(depthwise_bf16)(const struct product *p)
{
	depthwise(p, store, ISK_BF16);
}
