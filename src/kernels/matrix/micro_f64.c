/* SPDX-License-Identifier: MIT */
/* Micro-kernels of f64. */
#include "micro.h"

micro_fn ISK_FN(micro_f64), ISK_FN(direct_f64);

DEFINE_MICRO(micro_f64, F64, PACKED)
DEFINE_MICRO(direct_f64, F64, DIRECT)
