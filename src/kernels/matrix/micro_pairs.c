/* SPDX-License-Identifier: MIT */
/* Micro-kernels that multiply pairs of bf16 by one instruction. */
#include "micro.h"

micro_fn ISK_FN(micro_pairs), ISK_FN(direct_pairs);

DEFINE_MICRO(micro_pairs, PAIRS, PACKED)
DEFINE_MICRO(direct_pairs, PAIRS, DIRECT)
