/* SPDX-License-Identifier: MIT */
#include "depthwise.h"

depthwise_fn ISK_FN(depthwise_u8s8);

/* One convolution for every type of y, of which only stores know. */
#define DEFINE_STORE(name, type)                                               \
	static void name(const struct depthwise *d, const struct span_tile *t, size_t row, const vf sums[SPAN], \
	                 const vi *x_sums)                                         \
	{                                                                          \
		store_sums(d, t, row, sums, x_sums, ISK_U8, type);                     \
	}

DEFINE_STORE(store_s32, ISK_S32)
DEFINE_STORE(store_f32, ISK_F32)
DEFINE_STORE(store_u8, ISK_U8)

void ISK_FN(depthwise_u8s8)(const struct call *call)
{
	depthwise(call, call->y_type == ISK_S32 ? store_s32 : call->y_type == ISK_F32 ? store_f32 : store_u8, ISK_U8,
	          call->y_type);
}
