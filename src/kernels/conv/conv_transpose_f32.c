/* SPDX-License-Identifier: MIT */
/* The transpose of f32 convolutions. */
#include "conv_transpose_f32_kernels.h"
#include "conv.h"

ISK_EXTERN drive_fn ISK_PART(depthwise_f32, depthwise_f32);

static void convolve(struct product *p)
{
	multiply_group(p, WIDE_F32, NULL, ISK_PART(micro_float, direct_f32));
}

#define CONV_TRANSPOSE_F32(kernel, A, B, C, ...) CONV_TRANSPOSE(kernel, A, B, C, ISK_PART(depthwise_f32, depthwise_f32), convolve)
ISK_EACH_conv_transpose(CONV_TRANSPOSE_F32, )
