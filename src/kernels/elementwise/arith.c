/* SPDX-License-Identifier: MIT */
/* Arithmetic, element by element: IEEE 754 leaves no choice of the result. */
#include "arith_kernels.h"
#include "loops.h"

ZIP(add, a + b)
ZIP(mul, a *b)
ZIP3(fma, v_fused(a, b, c))
