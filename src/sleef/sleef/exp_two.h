/* SPDX-License-Identifier: MIT */
/*
 * e^(x + low) in two parts: 2^n (1 + r + more) with x + low = n log(2) + r and more = r^2 / 2 + r^3 p(r). more is below
 * r / 5, and also holds the digits that r lost. The relative error is 2^-56. So is that of r + more, which is
 * e^(x + low) - 1 if n is 0.
 * Constants: derive/exp_two.sollya.
 */
#ifndef ISK_EXP_TWO_H
#define ISK_EXP_TWO_H

#include "both_powers.h"
#include "logarithm.h"
#include "parts.h"

struct power {
	vd sum;         /* n + VD_ROUND */
	struct parts q; /* the number is (1 + q) 2^n if it comes from power_of(), else q 2^n */
};

static const double power_steps[10] = {
	0x1.1f991ca6cc0c9p-29, 0x1.af6ad3581200ep-26, 0x1.27e4c32ddc366p-22, 0x1.71ddf0df66e0bp-19,
	0x1.a01a01b1c9643p-16, 0x1.a01a01b31f5c3p-13, 0x1.6c16c16c141ffp-10, 0x1.111111110ed9dp-7,
	0x1.555555555555ap-5, 0x1.555555555555bp-3,
};

/* e^(x + low), for |x| up to 1500 and a low no larger than the rounding error of x. */
ISK_INLINE struct power power_of(vd x, vd low)
{
	const vd sum = vd_fma(x, vd_set1(LOG2_E_HIGH + LOG2_E_LOW), vd_set1(VD_ROUND)), n = sum - VD_ROUND;
	const struct parts near = parts_sum(vd_fma(n, vd_set1(-LN_2), x), vd_fma(n, vd_set1(-LN_2_LOW), low));
	const vd r = near.high;
	const vd p = vd_fma(BOTH_POWERS(power_steps, r), r * r * r, vd_fma(near.low, r, near.low));

	return (struct power){sum, {r, vd_fma(r, r * 0.5, p)}};
}

/* 1 + q, of a result of power_of() */
ISK_INLINE struct parts mantissa(struct power e)
{
	const struct parts sum = parts_sum(vd_set1(1), e.q.high);

	return (struct parts){sum.high, sum.low + e.q.low};
}

/* 2^n, or 0 if it is denormal. */
ISK_INLINE vd small_scale(vd sum)
{
	return vd_scale(vd_max(vd_set1(VD_ROUND - 1023), sum));
}

/* e^x - 1 as q 2^n with n >= 0, from the e^x of power_of(). */
ISK_INLINE struct power power_less_one(struct power e)
{
	const vd n = e.sum - VD_ROUND, size = small_scale(VD_ROUND - vd_abs(n)), one = vd_set1(1);
	const vmd is_small = vd_lt(n, vd_set1(0));
	const struct parts added = parts_sum(vd_sel(is_small, -one, one), vd_sel(is_small, size, -size));
	const struct parts scaled = parts_scaled(e.q, vd_sel(is_small, size, one)), sum = parts_sum(added.high, scaled.high);

	return (struct power){vd_max(vd_set1(VD_ROUND), e.sum), parts_sum(sum.high, sum.low + (scaled.low + added.low))};
}

#endif
