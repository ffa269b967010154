/* SPDX-License-Identifier: MIT */
/*
 * Ramps. x + 3 is rounded, but is exact if it is small; then the quotient is rounded.
 * hardswish replaces x < -3 by -3, because -Inf * 0 would be NaN.
 */
#include "relu_kernels.h"
#include "loops_streamed.h"
#include "vmath.h"

#define V_RELU6(x) v_min(v_set1(x, 6), v_relu(x))

MAP(relu, v_relu(x))
MAP(relu6, V_RELU6(x))
MAP(hardsigmoid, V_RELU6(x + 3) / 6)
MAP(hardswish, v_max(v_set1(x, -3), x) * (V_RELU6(x + 3) / 6))
