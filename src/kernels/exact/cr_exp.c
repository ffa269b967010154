/* SPDX-License-Identifier: MIT */
/*
 * Exponential functions, correctly rounded. Arguments are clamped to a range outside of which the result is 0 (for expm1,
 * -1) or infinite; a NaN passes.
 */
#include "cr_exp_kernels.h"
#include "exp_f32.h"
#include "exp_pairs.h"
#include "half.h"
#include "pow2.h"

ISK_INLINE vf between(vf x, float low, float high)
{
	return vf_min(vf_set1(high), vf_max(vf_set1(low), x));
}

ISK_INLINE vd exp2_of(vd d)
{
	const vd t = d * STEPS, sum = t + VD_ROUND;

	return vd_pow2((struct pow2){sum, t - (sum - VD_ROUND)});
}

ISK_INLINE vd exp10_of(vd d)
{
	return vd_pow2(vd_split(d, STEPS * LOG2_10_HIGH, STEPS * LOG2_10_LOW));
}

static const struct hard hard_exp2[] = {{0x3b429d37, 0x1.00870ap+0f}, {0xbcf3a937, 0x1.f58d62p-1f}};

#define EXP(WIDE, x)   WIDE(vd_exp, between(x, -104, 89))
#define EXP2(WIDE, x)  WIDE(exp2_of, between(x, -151, 129))
#define EXP10(WIDE, x) WIDE(exp10_of, between(x, -46, 39))
#define EXPM1(WIDE, x) vf_copysign(WIDE(vd_expm1, between(x, -20, 89)), x)

static __attribute__((noinline)) vf exp_in_f64(vf x)
{
	return EXP(WIDE, x);
}

MAP(cr_exp, ISK_FMA ? exp_by_pairs(x, exp_in_f64) : EXP(WIDE, x))
MAP_16(exp, half_exp(x), EXP(WIDE_TO_ODD, x))
MAP(cr_exp2, BUT_FOR(hard_exp2, x, EXP2(WIDE, x)))
MAP_16(exp2, half_exp2(x), EXP2(WIDE_TO_ODD, x))
MAP(cr_exp10, EXP10(WIDE, x))
MAP_16(exp10, vf_exp10(x), EXP10(WIDE_TO_ODD, x))
MAP(cr_expm1, EXPM1(WIDE, x))
MAP_16(expm1, half_expm1(x), EXPM1(WIDE_TO_ODD, x))
