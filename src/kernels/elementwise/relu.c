/* SPDX-License-Identifier: MIT */
#include "relu_kernels.h"
#include "loops.h"
#include "vmath.h"

MAP(relu, v_relu(x))
