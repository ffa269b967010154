/* SPDX-License-Identifier: MIT */
/*
 * sigmoid and silu: see vmath.h. Worst errors over all 2^32 inputs: sigmoid
 * 2.4791 ulp at -0x1.cdc67cp+1 from avx2 up, 2.4963 at -0x1.cda374p+1 at
 * baseline; silu 2.8757 at -0x1.9c8758p-1 from avx2 up, 2.9405 at
 * -0x1.9dab66p-1 at baseline.
 */
#include "sigmoid_kernels.h"
#include "above_half.h"
#include "loops.h"
#include "vmath.h"

MAP(sigmoid, vf_sigmoid(x))
MAP(silu, V_ABOVE_HALF(vf_silu(x), x))
