/* SPDX-License-Identifier: MIT */
/* Depthwise f64 convolution, a source part of its own because conv and conv_transpose call it. */
#include "depthwise.h"

drive_fn ISK_FN(depthwise_f64);

DEFINE_STORE(store, ISK_F64)

void ISK_FN(depthwise_f64)(const struct product *p)
{
	depthwise(p, store, ISK_F64);
}
