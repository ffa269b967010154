/* SPDX-License-Identifier: MIT */
/* f32 to f16 and back: F16C from avx2 up, integers that give the same bits at baseline. */
#include "cvt_f16_kernels.h"
#include "loops.h"

CVT(cvt, x)
