/* SPDX-License-Identifier: MIT */
#include "depthwise.h"

depthwise_fn ISK_FN(depthwise_f32);

DEFINE_STORE(store, ISK_F32, ISK_F32)

void ISK_FN(depthwise_f32)(const struct call *call)
{
	depthwise(call, store, ISK_F32, ISK_F32);
}
