/* SPDX-License-Identifier: MIT */
/* f16 convolution, whose elements become f32 on their way to the registers. Its depthwise tiles do not slide. */
#include "conv_f16_kernels.h"
#include "depthwise.h"
#include "gemm_float_kernels.h"

DEFINE_STORE(store, ISK_F16)

static void convolve_depthwise(const struct product *p)
{
	depthwise(p, store, ISK_F16);
}

static void convolve(struct product *p)
{
	multiply_group(p, WIDE_F16, ISK_PART(pack_a, pack_floats), ISK_PART(micro_float, micro_f16));
}

#define CONV_F16(kernel, A, B, C, ...) CONV(kernel, A, B, C, gemm_f16, convolve_depthwise, convolve)
ISK_EACH_conv(CONV_F16, )
