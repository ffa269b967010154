/* SPDX-License-Identifier: MIT */
/*
 * exp: see vmath.h. Worst errors over all 2^32 inputs: 1.0205 ulp at
 * -0x1.337736p+5 from avx2 up, 0.9896 at -0x1.76f06cp+2 at baseline.
 */
#include "exp_kernels.h"
#include "loops.h"
#include "vmath.h"

MAP(exp, vf_exp(x))
