/* SPDX-License-Identifier: MIT */
/* f64 convolution, which always reads the image in place. */
#include "conv_f64_kernels.h"
#include "conv.h"
#include "gemm_f64_kernels.h"

ISK_EXTERN drive_fn ISK_PART(depthwise_f64, depthwise_f64);

static void convolve(struct product *p)
{
	p->n *= element_words(F64);
	p->ldc *= element_words(F64);
	multiply_group(p, F64, NULL, ISK_PART(micro_f64, direct_f64));
}

#define CONV_F64(kernel, A, B, C, ...) CONV(kernel, A, B, C, gemm_f64, ISK_PART(depthwise_f64, depthwise_f64), convolve)
ISK_EACH_conv(CONV_F64, )
