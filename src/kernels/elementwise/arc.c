/* SPDX-License-Identifier: MIT */
/*
 * Inverse circular functions: see arc_f32.h. Worst errors of one input in 31: atan 1.916 ulp at -0x1.034358p+0, at
 * baseline 2.073 at -0x1.2d5eap+0; asin 2.296 at 0x1.00210ep-1; acos 1.236 at -0x1.00208ep-1.
 */
#include "arc_kernels.h"
#include "arc_f32.h"
#include "loops.h"

MAP(atan, vf_copysign(vf_atan(vf_abs(x)), x))
MAP(asin, vf_copysign(vf_asin(vf_abs(x)), x))
MAP(acos, vf_acos(x))
