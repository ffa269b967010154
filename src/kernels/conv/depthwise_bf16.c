/* SPDX-License-Identifier: MIT */
#include "depthwise.h"

drive_fn ISK_FN(depthwise_bf16);

DEFINE_STORE(store, ISK_BF16, ISK_BF16)

void ISK_FN(depthwise_bf16)(const struct product *p)
{
	depthwise(p, store, ISK_BF16, ISK_BF16);
}
