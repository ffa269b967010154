/* SPDX-License-Identifier: MIT */
/* Operations on the sign alone. */
#include "sign_kernels.h"
#include "loops_streamed.h"

MAP(abs, v_abs(x))
MAP(neg, -x)
/* A zero becomes +0, and NaN stays NaN. */
MAP(sign, v_sel(v_lt(v_set1(x, 0), v_abs(x)), v_copysign(v_set1(x, 1), x), x + 0))
ZIP(copysign, v_copysign(a, b))
