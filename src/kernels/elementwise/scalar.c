/* SPDX-License-Identifier: MIT */
/* Arithmetic with one or two numbers, which are as precise as lanes are. What is of 16 bits is rounded twice.
 */
#include "scalar_kernels.h"
#include "loops_streamed.h"

MAP_SCALAR(leaky_relu, v_sel(v_lt(v_set1(x, 0), x), x, x *alpha))
MAP_SCALAR(scale, x *alpha)
MAP_SCALAR(add_scalar, x + alpha)
MAP_SCALAR2(axpb, v_fused(x, v_set1(x, alpha), v_set1(x, beta)))
/* The order of operands keeps a NaN and the sign of a zero, and lets a bound that is NaN bound nothing. */
MAP_RANGE(clip, v_min(v_set1(x, high), v_max(v_set1(x, low), x)))
