/* SPDX-License-Identifier: MIT */
/* Micro-kernels that widen panel lines of B to f32. */
#include "micro.h"

micro_fn ISK_FN(micro_f32), ISK_FN(micro_bf16), ISK_FN(micro_f16), ISK_FN(micro_s8), ISK_FN(micro_raised_s8),
    ISK_FN(direct_f32);

DEFINE_MICRO(micro_f32, WIDE_F32, PACKED)
DEFINE_MICRO(micro_bf16, WIDE_BF16, PACKED)
DEFINE_MICRO(micro_f16, WIDE_F16, PACKED)
DEFINE_MICRO(micro_s8, WIDE_S8, PACKED)
DEFINE_MICRO(micro_raised_s8, RAISED_S8, PACKED)
DEFINE_MICRO(direct_f32, WIDE_F32, DIRECT)
