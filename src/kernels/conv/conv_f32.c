/* SPDX-License-Identifier: MIT */
/* f32 convolution, which always reads the image in place. */
#include "conv_f32_kernels.h"
#include "conv.h"
#include "gemm_f32_kernels.h"

ISK_EXTERN drive_fn ISK_PART(depthwise_f32, depthwise_f32);

static void convolve(struct product *p)
{
	multiply_group(p, WIDE_F32, NULL, ISK_PART(micro_float, direct_f32));
}

#define CONV_F32(kernel, A, B, C, ...) CONV(kernel, A, B, C, gemm_f32, ISK_PART(depthwise_f32, depthwise_f32), convolve)
ISK_EACH_conv(CONV_F32, )
