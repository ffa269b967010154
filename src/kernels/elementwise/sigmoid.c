/* SPDX-License-Identifier: MIT */
/*
 * sigmoid, silu and hardswish of bf16: see vmath.h. Worst errors over all 2^32 inputs: sigmoid
 * 2.4791 ulp at -0x1.cdc67cp+1 from avx2 up, 2.4963 at -0x1.cda374p+1 at
 * baseline; silu 2.8757 at -0x1.9c8758p-1 from avx2 up, 2.9405 at
 * -0x1.9dab66p-1 at baseline.
 */
#include "sigmoid_kernels.h"
#include "above_half.h"
#include "loops.h"
#include "vmath.h"

MAP(sigmoid, vf_sigmoid(x))
MAP_ABOVE_HALF(silu, ties_of_denormals_upwards, vf_silu(x))
/* -3 stands for all below it: -Inf * 0 would be no number. */
MAP_ABOVE_HALF(hardswish, ties_upwards, vf_max(vf_set1(-3), x) * (vf_min(vf_set1(6), vf_relu(x + 3)) / 6))
