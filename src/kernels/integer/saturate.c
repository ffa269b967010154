/* SPDX-License-Identifier: MIT */
/* Sums and differences, clamped to the range of their type. */
#include "saturate_kernels.h"
#include "integers.h"

#define SATURATED(word, T, a, b) word((vi)a, (vi)b, sizeof(ISK_UNSIGNED_##T), ISK_ENUM_##T != ISK_U8)
#define ADD_SAT(T, a, b)         SATURATED(vi_add_saturated, T, a, b)
#define SUB_SAT(T, a, b)         SATURATED(vi_sub_saturated, T, a, b)

INTEGERS_2(add_sat, ADD_SAT)
INTEGERS_2(sub_sat, SUB_SAT)
