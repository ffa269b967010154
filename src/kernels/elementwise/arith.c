/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic, element by element. IEEE 754 determines the results. A sum, product,
 * quotient or square root of bf16 or f16 may be rounded to f32 first and is still rounded
 * correctly, since f32 has at least twice their bits plus two. fma of 16 bits and rsqrt are
 * rounded twice.
 */
#include "arith_kernels.h"
#include "loops_streamed.h"
#include "vmath.h"

MAP(square, x *x)
MAP(recip, 1 / x)
MAP(sqrt, v_sqrt(x))
MAP(rsqrt, 1 / v_sqrt(x))
ZIP(add, a + b)
ZIP(sub, a - b)
ZIP(mul, a *b)
ZIP(div, a / b)
ZIP(absdiff, v_abs(a - b))
ZIP(add_relu, v_relu(a + b))
ZIP3(fma, v_fused(a, b, c))
