/* SPDX-License-Identifier: MIT */
/*
 * Ramps. x + 3 rounds, where it is small it does not; then a quotient rounds. In
 * hardswish -3 stands for all below it: -Inf * 0 would be no number.
 */
#include "relu_kernels.h"
#include "streams.h"
#include "vmath.h"

#define V_RELU6(x) v_min(v_set1(x, 6), v_relu(x))

MAP(relu, v_relu(x))
MAP(relu6, V_RELU6(x))
MAP(hardsigmoid, V_RELU6(x + 3) / 6)
MAP(hardswish, v_max(v_set1(x, -3), x) * (V_RELU6(x + 3) / 6))
