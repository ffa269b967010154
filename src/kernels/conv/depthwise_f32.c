/* SPDX-License-Identifier: MIT */
#include "depthwise.h"

drive_fn ISK_FN(depthwise_f32);

DEFINE_STORE(store, ISK_F32, ISK_F32)

void ISK_FN(depthwise_f32)(const struct product *p)
{
	depthwise(p, store, ISK_F32, ISK_F32);
}
