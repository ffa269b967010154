/* SPDX-License-Identifier: MIT */
/*
 * gelu and gelu_tanh: see vmath.h. Worst errors over all 2^32 inputs: gelu
 * 3.4807 ulp at -0x1.f9f13ep-12 from avx2 up, 3.7530 at -0x1.d9c3c6p+0 at
 * baseline; gelu_tanh 2.7614 at -0x1.7f6c46p+1 from avx2 up, 2.7854 at
 * -0x1.594d3ap-2 at baseline.
 */
#include "gelu_kernels.h"
#include "above_half.h"
#include "vmath.h"

MAP_ABOVE_HALF(gelu, ties_of_denormals_upwards, vf_gelu(x))
MAP_ABOVE_HALF(gelu_tanh, ties_of_denormals_upwards, vf_gelu_tanh(x))
