/* SPDX-License-Identifier: MIT */
#include "my_mix_kernels.h"
#include "loops.h"

BLEND(mix, v_fused(v_set1(b, t), b, a))
