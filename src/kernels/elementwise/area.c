/* SPDX-License-Identifier: MIT */
/*
 * log(1 + x), see log_lanes.h, and the inverse hyperbolic functions by it. The correctly rounded kernels compute
 * infinities, NaNs and arguments so large that an intermediate result would overflow, and everything on ISAs without
 * fused multiply-add. Worst errors of all inputs, from avx2 up: log1p 1.5398 ulp at
 * 0x1.a0592ep+0, asinh 2.1669 at 0x1.1f78fap+0, acosh 2.4166 at 0x1.007e78p+0, atanh 2.4715 at 0x1.cd7deap-2.
 */
#include "area_kernels.h"

#include <math.h>

#include "area_f32.h"
#include "exactly.h"

MAP_BY_FMA_WHERE(log1p, cr_log1p_f32, vm_and(vf_lt(vf_set1(-1), x), vf_lt(x, vf_set1(0x1p126f))),
                 vf_copysign(vf_ln_1p(x), x))
MAP_BY_FMA_WHERE(asinh, cr_asinh_f32, vf_lt(vf_abs(x), vf_set1(0x1p125f)), vf_copysign(vf_asinh(vf_abs(x)), x))
MAP_BY_FMA_WHERE(acosh, cr_acosh_f32, vf_lt(x, vf_set1(0x1p125f)),
                 vf_sel(vf_le(vf_set1(1), x), vf_acosh(x), vf_set1(NAN)))
MAP_BY_FMA_WHERE(atanh, cr_atanh_f32, vf_lt(vf_abs(x), vf_set1(1)), vf_copysign(vf_atanh(vf_abs(x)), x))
