/* SPDX-License-Identifier: MIT */
/*
 * gelu and gelu_tanh: see vmath.h. Worst errors over all 2^32 inputs: gelu
 * 4.4187 ulp at -0x1.d5a436p+0 from avx2 up, 5.3763 at -0x1.9a5426p+2 at
 * baseline; gelu_tanh 2.6838 at -0x1.5f96f8p+1, and 2.7701 at -0x1.62c43cp+0.
 */
#include "gelu_kernels.h"
#include "loops.h"
#include "vmath.h"

MAP(gelu, vf_gelu(x))
MAP(gelu_tanh, vf_gelu_tanh(x))
