/* SPDX-License-Identifier: MIT */
/*
 * sigmoid and silu: see vmath.h. Worst errors: sigmoid, over all 2^32
 * inputs, 2.9022 ulp at -0x1.f72fp+0 from avx2 up, 2.8972 at -0x1.f65448p+0 at
 * baseline; silu, of one in 61, 3.5777 at -0x1.9cfd7ep+1 everywhere.
 */
#include "sigmoid_kernels.h"
#include "loops.h"
#include "vmath.h"

MAP(sigmoid, vf_sigmoid(x))
MAP(silu, vf_silu(x))
