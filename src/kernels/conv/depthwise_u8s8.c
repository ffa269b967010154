/* SPDX-License-Identifier: MIT */
#include "depthwise.h"

drive_fn ISK_FN(depthwise_u8s8);

/* One convolution for every type of y, of which only stores know. */
DEFINE_STORE(store_s32, ISK_U8, ISK_S32)
DEFINE_STORE(store_f32, ISK_U8, ISK_F32)
DEFINE_STORE(store_u8, ISK_U8, ISK_U8)

void ISK_FN(depthwise_u8s8)(const struct product *p)
{
	depthwise(p, p->c_type == ISK_S32 ? store_s32 : p->c_type == ISK_F32 ? store_f32 : store_u8, ISK_U8,
	          p->c_type);
}
