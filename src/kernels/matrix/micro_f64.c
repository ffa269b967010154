/* SPDX-License-Identifier: MIT */
/* The micro-kernel of f64. */
#include "micro.h"

micro_fn ISK_FN(micro_f64);

DEFINE_MICRO(micro_f64, F64, PACKED)
