/* SPDX-License-Identifier: MIT */
/* The minimum and maximum of IEEE 754-2019, and clamp by them. */
#include "extremes_kernels.h"
#include "loops_streamed.h"

ZIP(minimum, v_minimum(a, b))
ZIP(maximum, v_maximum(a, b))
ZIP3(clamp, v_minimum(v_maximum(a, b), c))
