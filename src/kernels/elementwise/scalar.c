/* SPDX-License-Identifier: MIT */
/* Arithmetic with one or two numbers, which have the precision of lanes. 16-bit results are rounded twice. */
#include "scalar_kernels.h"
#include "loops_streamed.h"

MAP_SCALAR(leaky_relu, v_sel(v_lt(v_set1(x, 0), x), x, x *alpha))
MAP_SCALAR(scale, x *alpha)
MAP_SCALAR(add_scalar, x + alpha)
MAP_SCALAR2(axpb, v_fused(x, v_set1(x, alpha), v_set1(x, beta)))
/* The order of operands keeps a NaN and the sign of a zero, and makes a bound that is NaN have no effect. */
MAP_RANGE(clip, v_min(v_set1(x, high), v_max(v_set1(x, low), x)))
