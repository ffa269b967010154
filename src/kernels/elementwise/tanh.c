/* SPDX-License-Identifier: MIT */
/*
 * tanh: see vmath.h. Worst errors of one input in 61: 1.8606 ulp at
 * 0x1.08f656p-1 from avx2 up, 1.9498 at 0x1.bd5eb8p-4 at baseline.
 */
#include "tanh_kernels.h"
#include "loops.h"
#include "vmath.h"

MAP(tanh, vf_tanh(x))
