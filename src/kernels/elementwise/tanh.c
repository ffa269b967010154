/* SPDX-License-Identifier: MIT */
/*
 * tanh: see vmath.h. Worst errors over all 2^32 inputs: 1.9535 ulp at
 * 0x1.09e4c2p-1 from avx2 up, 2.0084 at 0x1.f6773ap-4 at baseline.
 */
#include "tanh_kernels.h"
#include "loops.h"
#include "vmath.h"

MAP(tanh, vf_tanh(x))
