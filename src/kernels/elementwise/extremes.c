/* SPDX-License-Identifier: MIT */
/* The lesser, the greater, and what lies between: what IEEE 754-2019 calls minimum and maximum. */
#include "extremes_kernels.h"
#include "loops_streamed.h"

ZIP(minimum, v_minimum(a, b))
ZIP(maximum, v_maximum(a, b))
ZIP3(clamp, v_minimum(v_maximum(a, b), c))
