/* SPDX-License-Identifier: MIT */
#include "conv_f32_kernels.h"
#include "conv.h"
#include "gemm_float_kernels.h"

ISK_EXTERN drive_fn ISK_PART(depthwise_f32, depthwise_f32);

static void convolve(struct product *p)
{
	multiply_in_place(p, WIDE_F32, ISK_PART(micro_float, direct_f32));
}

#define CONV_F32(kernel, A, B, C, ...)                                         \
	CONV(kernel, A, B, C, gemm_f32, ISK_PART(depthwise_f32, depthwise_f32), convolve)
ISK_EACH_conv(CONV_F32, )
