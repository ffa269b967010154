/* SPDX-License-Identifier: MIT */
/* Inverse hyperbolic functions, correctly rounded, by logarithms. */
#include "cr_area_kernels.h"
#include "area_f32.h"
#include "logarithm.h"

/* log(a + sqrt(a^2 + 1)) = log(1 + a + a^2 / (1 + sqrt(a^2 + 1))) */
ISK_INLINE vd asinh_of(vd a)
{
	const vd square = a * a;

	return log1p_of(a + square / (vd_sqrt(square + 1) + 1));
}

/* log(a + sqrt(a^2 - 1)) = log(1 + b + sqrt(b (b + 2))) with b = a - 1 */
ISK_INLINE vd acosh_of(vd a)
{
	const vd b = a - 1;

	return log1p_of(b + vd_sqrt(b * (b + 2)));
}

/* log((1 + a) / (1 - a)) / 2. Below 1/8, a is the s of logarithm.h, and no quotient is needed. */
ISK_INLINE vd atanh_of(vd a)
{
	const vmd is_small = vd_lt(a, vd_set1(0.125));
	const vd small = log_sum(log_by_s(vd_set1(0), a, vd_set1(0)), LN_2, LN_2_LOW);

	return vd_sel(is_small, small, ln_of((a + 1) / (1 - a))) * 0.5;
}

/* y, or x if it is infinite or NaN */
ISK_INLINE vf unless_infinite(vf x, vf y)
{
	return vf_sel(vf_lt(vf_abs(x), vf_set1(INFINITY)), y, x);
}

/* y below 1, infinity at 1, NaN above */
ISK_INLINE vf within_one(vf a, vf y)
{
	const vf one = vf_set1(1);

	return vf_sel(vf_lt(a, one), y, vf_sel(vf_eq(a, one), vf_set1(INFINITY), vf_set1(NAN)));
}

/* NaN for all x below 1, because the square root is NaN between -1 and 1 only. */
#define ACOSH(WIDE, x) vf_sel(vf_lt(x, vf_set1(1)), vf_set1(NAN), unless_infinite(x, WIDE(acosh_of, x)))
#define ATANH(WIDE, x) vf_copysign(within_one(vf_abs(x), WIDE(atanh_of, vf_abs(x))), x)

static const struct hard hard_asinh[] = {{0x4bdd65a5, 0x1.1e0696p+4f}, {0x655890d3, 0x1.a9a3f2p+5f},
	{0x6eb1a8ec, 0x1.08b512p+6f}};
static const struct hard hard_acosh[] = {{0x655890d3, 0x1.a9a3f2p+5f}, {0x6eb1a8ec, 0x1.08b512p+6f}};
static const struct hard hard_half_asinh[] = {{0x3e57a000, 0x1.ac4p-3f}, {0x4163e000, 0x1.accp+1f},
	{0x43814000, 0x1.8fcp+2f}, {0x47564000, 0x1.734p+3f}};
static const struct hard hard_half_acosh[] = {{0x3f9c8000, 0x1.4fcp-1f}, {0x47564000, 0x1.734p+3f}};

MAP(cr_asinh, unless_infinite(x, vf_copysign(BUT_FOR(hard_asinh, vf_abs(x), WIDE(asinh_of, vf_abs(x))), x)))
MAP_16(asinh, unless_infinite(x, vf_copysign(BUT_FOR(hard_half_asinh, vf_abs(x), vf_asinh(vf_abs(x))), x)),
       unless_infinite(x, vf_copysign(WIDE_TO_ODD(asinh_of, vf_abs(x)), x)))
MAP(cr_acosh, BUT_FOR(hard_acosh, x, ACOSH(WIDE, x)))
MAP_16(acosh, vf_sel(vf_lt(x, vf_set1(1)), vf_set1(NAN), unless_infinite(x, BUT_FOR(hard_half_acosh, x, vf_acosh(x)))),
       ACOSH(WIDE_TO_ODD, x))
MAP(cr_atanh, ATANH(WIDE, x))
MAP_16(atanh, vf_copysign(within_one(vf_abs(x), vf_atanh(vf_abs(x))), x), ATANH(WIDE_TO_ODD, x))
