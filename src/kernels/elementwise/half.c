/* SPDX-License-Identifier: MIT */
/*
 * The operations of arith.c, whole.c and by_rows.c of f16 that round once. They are apart because an ISA that computes
 * with f16 has variants of these alone. fma, rsqrt and the ramps of relu.c round f32 before they round to f16, so that f16
 * arithmetic would change their bits.
 */
#include "half_kernels.h"
#include "loops_streamed.h"
#include "mul_rows.h"
#include "vmath.h"

#include "half_lanes.h"

MAP(square, x *x)
MAP(recip, v_one(x) / x)
MAP(sqrt, v_sqrt(x))
MAP(floor, v_floor(x))
MAP(ceil, v_ceil(x))
MAP(round, v_nearest(x))
MAP(trunc, v_trunc(x))
ZIP(add, a + b)
ZIP(sub, a - b)
ZIP(mul, a *b)
ZIP(div, a / b)
ZIP(absdiff, v_abs(a - b))
ZIP(add_relu, v_relu(a + b))
ISK_EACH_mul_rows(MUL_ROWS)
