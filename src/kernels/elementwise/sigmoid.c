/* SPDX-License-Identifier: MIT */
/*
 * sigmoid and silu: see vmath.h. Worst errors of one input in 13 or 61: sigmoid
 * 2.9022 ulp at -0x1.f72fp+0 from avx2 up, 2.8972 at -0x1.f65448p+0 at
 * baseline; silu 3.5777 at -0x1.9cfd7ep+1 everywhere.
 */
#include "sigmoid_kernels.h"
#include "loops.h"
#include "vmath.h"

MAP(sigmoid, vf_sigmoid(x))
MAP(silu, vf_silu(x))
