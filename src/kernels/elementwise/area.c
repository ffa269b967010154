/* SPDX-License-Identifier: MIT */
/*
 * log(1 + x), see log_lanes.h, and the inverse hyperbolic functions by it. The correctly rounded kernels compute
 * infinities, NaNs and arguments so large that an intermediate result would overflow, and everything on ISAs without
 * fused multiply-add. Worst errors of all inputs, from avx2 up: log1p 1.5398 ulp at
 * 0x1.a0592ep+0, asinh 2.1669 at 0x1.1f78fap+0, acosh 2.4166 at 0x1.007e78p+0, atanh 2.4715 at 0x1.cd7deap-2.
 */
#include "area_kernels.h"

#include <math.h>

#include "exactly.h"
#include "log_lanes.h"

/*
 * log(a + sqrt(a^2 + 1)) = log(1 + a + a b / (1 + sqrt(b^2 + 1))) with b = a. Squares from 2^60 on might overflow, so b
 * is at most 2^60; the quotient is 1 for all such b.
 */
ISK_INLINE vf asinh_of(vf a)
{
	const vf b = vf_min(a, vf_set1(0x1p60f));

	return ln_1p_of(vf_fma(a, b / (vf_sqrt(vf_fma(b, b, vf_set1(1))) + 1), a));
}

/* log(a + sqrt(a^2 - 1)) = log(1 + b + sqrt(b^2 + 2 b)) with b = a - 1. An infinite root becomes a. */
ISK_INLINE vf acosh_of(vf a)
{
	const vf b = a - 1;

	return ln_1p_of(b + vf_min(vf_sqrt(vf_fma(b, b, b + b)), a));
}

/* log((1 + a) / (1 - a)) / 2 */
ISK_INLINE vf atanh_of(vf a)
{
	return ln_1p_of((a + a) / (1 - a)) * 0.5f;
}

MAP_BY_FMA_WHERE(log1p, cr_log1p_f32, vm_and(vf_lt(vf_set1(-1), x), vf_lt(x, vf_set1(0x1p126f))),
                 vf_copysign(ln_1p_of(x), x))
MAP_BY_FMA_WHERE(asinh, cr_asinh_f32, vf_lt(vf_abs(x), vf_set1(0x1p125f)), vf_copysign(asinh_of(vf_abs(x)), x))
MAP_BY_FMA_WHERE(acosh, cr_acosh_f32, vf_lt(x, vf_set1(0x1p125f)),
                 vf_sel(vf_le(vf_set1(1), x), acosh_of(x), vf_set1(NAN)))
MAP_BY_FMA_WHERE(atanh, cr_atanh_f32, vf_lt(vf_abs(x), vf_set1(1)), vf_copysign(atanh_of(vf_abs(x)), x))
