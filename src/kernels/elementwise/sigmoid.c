/* SPDX-License-Identifier: MIT */
/*
 * sigmoid and silu: see vmath.h. Worst errors over all 2^32 inputs: sigmoid
 * 2.4019 ulp at -0x1.0a111ap+2 everywhere; silu 2.6656 at -0x1.9ad81ep+1 from
 * avx2 up, 2.7794 at -0x1.9b8566p+1 at baseline.
 */
#include "sigmoid_kernels.h"
#include "loops.h"
#include "vmath.h"

MAP(sigmoid, vf_sigmoid(x))
MAP(silu, vf_silu(x))
