/* SPDX-License-Identifier: MIT */
/*
 * tan: see tan_f32.h. The correctly rounded kernel computes arguments from 2^16 on, and everything on ISAs without fused
 * multiply-add. Worst error over all 2^32 inputs, from avx2 up: 3.2656 ulp at 0x1.80d802p+7.
 */
#include "tan_kernels.h"
#include "exactly.h"
#include "tan_f32.h"

MAP_BY_FMA_WHERE(tan, cr_tan_f32, vf_lt(vf_abs(x), vf_set1(0x1p16f)), vf_tan(x))
