/* SPDX-License-Identifier: MIT */
#include "depthwise.h"

depthwise_fn ISK_FN(depthwise_u8s8);

/* One convolution for every type of y, of which only stores know. */
DEFINE_STORE(store_s32, ISK_U8, ISK_S32)
DEFINE_STORE(store_f32, ISK_U8, ISK_F32)
DEFINE_STORE(store_u8, ISK_U8, ISK_U8)

void ISK_FN(depthwise_u8s8)(const struct call *call)
{
	depthwise(call, call->y_type == ISK_S32 ? store_s32 : call->y_type == ISK_F32 ? store_f32 : store_u8, ISK_U8,
	          call->y_type);
}
