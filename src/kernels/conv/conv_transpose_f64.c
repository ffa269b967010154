/* SPDX-License-Identifier: MIT */
/* The transpose of f64 convolutions. */
#include "conv_transpose_f64_kernels.h"
#include "conv.h"

ISK_EXTERN drive_fn ISK_PART(depthwise_f64, depthwise_f64);

static void convolve(struct product *p)
{
	p->n *= element_words(F64);
	p->ldc *= element_words(F64);
	multiply_group(p, F64, NULL, ISK_PART(micro_f64, direct_f64));
}

#define CONV_TRANSPOSE_F64(kernel, A, B, C, ...) CONV_TRANSPOSE(kernel, A, B, C, ISK_PART(depthwise_f64, depthwise_f64), convolve)
ISK_EACH_conv_transpose(CONV_TRANSPOSE_F64, )
