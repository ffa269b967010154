/* SPDX-License-Identifier: MIT */
/*
 * sinh and cosh: see sinh_f32.h. On ISAs without fused multiply-add, the correctly rounded kernels compute everything.
 * Worst errors of all inputs: sinh 1.4450 ulp at 0x1.fe8ecp+2, cosh 1.2535 at 0x1.4e12a2p+2.
 */
#include "sinh_kernels.h"
#include "exactly.h"
#include "sinh_f32.h"

MAP_BY_FMA(sinh, cr_sinh_f32, vf_sinh(x))
MAP_BY_FMA(cosh, cr_cosh_f32, vf_cosh(x))
