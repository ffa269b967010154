/* SPDX-License-Identifier: MIT */
/* Sums and differences, clamped to the range of their type. */
#include "saturate_kernels.h"
#include "integers.h"

INTEGERS_2(add_sat, vi_add_saturated((vi)a, (vi)b, sizeof(a[0]), type != ISK_U8))
INTEGERS_2(sub_sat, vi_sub_saturated((vi)a, (vi)b, sizeof(a[0]), type != ISK_U8))
