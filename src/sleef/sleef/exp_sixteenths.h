/* SPDX-License-Identifier: MIT */
/*
 * e^x = 2^(k / 16) (1 + q) with k = round(16 x / log(2)) and q = e^r - 1. The power of 2 is 2^(j / 16), from the table of pow2.h,
 * with k = 16 n + j, whose exponent is raised by n. Another table has the relative errors of its entries.
 * Constants: derive/by_table.py.
 */
#ifndef ISK_EXP_SIXTEENTHS_H
#define ISK_EXP_SIXTEENTHS_H

#include "factor.h"
#include "polynomial.h"
#include "pow2.h"
#include "sixteen.h"

/* 2^(j / 16) less its entry there, divided by the entry */
static const double sixteenths_lack[16] = {
	0x0.0p+0, 0x1.79aa65d837b6dp-54, -0x1.01b15eaa59348p-55, 0x1.68efde3a8a894p-54,
	0x1.34d754db0abb6p-55, 0x1.59f48a72a4c6dp-55, 0x1.690cebb7aafb0p-56, 0x1.063e1e21c5409p-54,
	-0x1.3b3efbf5e2228p-54, -0x1.b32dcb94da51dp-56, 0x1.db72fc1f0eab4p-55, 0x1.1affc2b91ce27p-56,
	0x1.c1a7792cb3387p-55, 0x1.36eae30af0cb3p-56, 0x1.4a385a63d07a7p-56, -0x1.ff7128fd391f0p-55,
};

/* (e^r - 1 - r) / r^2; e^r - 1 has a relative error of 2^-59. */
static const double exp_steps[6] = {
	0x1.a01b269b61121p-13, 0x1.6c17f50da2bc2p-10, 0x1.11111110d279bp-7, 0x1.55555554dff97p-5,
	0x1.5555555555556p-3, 0x1.0000000000001p-1,
};

/* x = k log(2) / 16 + r, where x or r may be in other units. k is an integer below 2^15. */
struct in_sixteenths {
	vd sum; /* k + VD_ROUND */
	vd r;
};

#define STEP_LOW 0x1.cf79abc9e3b3ap-44 /* log(2) / 16 without its first 38 bits */

ISK_INLINE vd sixteenths_in(vd x)
{
	return vd_fma(x, vd_set1(0x1.71547652b82fep+4), vd_set1(VD_ROUND));
}

/* r without the low part of k log(2) / 16, exactly */
ISK_INLINE vd sixteenths_rest(vd k, vd x)
{
	return vd_fma(k, vd_set1(-0x1.62e42fefap-5), x);
}

ISK_INLINE struct in_sixteenths in_sixteenths(vd x)
{
	const vd sum = sixteenths_in(x), k = sum - VD_ROUND;

	return (struct in_sixteenths){sum, vd_fma(k, vd_set1(-STEP_LOW), sixteenths_rest(k, x))};
}

/* 2^(k / 16), if that is normal, and 2^(j / 16) */
ISK_INLINE vd whole_power(vd sum)
{
	return (vd)((vl)one_of_16((const double *)steps_of_2, (vl)sum) + ((vl)sum << 48));
}

ISK_INLINE vd part_of_power(vd sum)
{
	return whole_power((vd)((vl)sum & 15));
}

/* n + VD_ROUND */
ISK_INLINE vd whole_sum(vd sum)
{
	return v_floor((sum - VD_ROUND) * 0x1p-4) + VD_ROUND;
}

/* The power times e^r. */
ISK_INLINE vd power_times(vd power, struct in_sixteenths s)
{
	const vd lacking = one_of_16(sixteenths_lack, (vl)s.sum);
	const vd q = vd_fma(POLYNOMIAL(exp_steps, s.r), s.r * s.r, s.r + lacking);

	return vd_fma(power, q, power);
}

/* e^x 2^added for any x */
static __attribute__((noinline, unused)) vd power_of_any(vd x, double added)
{
	const struct in_sixteenths s = in_sixteenths(vd_min(vd_set1(711), vd_max(vd_set1(-760), x)));

	return scaled(power_times(part_of_power(s.sum), s), whole_sum(s.sum) + added);
}

#define FAR 708 /* Up to this |x| e^x is normal. */

ISK_INLINE vd exp_of(vd x)
{
	const struct in_sixteenths s = in_sixteenths(x);
	const vd y = power_times(whole_power(s.sum), s);
	const vmd is_far = vd_lt(vd_set1(FAR), vd_abs(x));

	return __builtin_expect(vmd_any(is_far), 0) ? vd_sel(is_far, power_of_any(x, 0), y) : y;
}

/*
 * e^x - 1 in two parts, for |x| up to FAR: (T - 1) + T r + T (e^r - 1 - r), with T the power of 2. The first terms are in
 * two parts, because they cancel if k is 1 or -1.
 */
ISK_INLINE struct parts less_one(vd x)
{
	const vd sum = sixteenths_in(x), k = sum - VD_ROUND, power = whole_power(sum);
	const struct parts less = parts_sum_of_any(power, vd_set1(-1));
	const struct parts r = parts_sum(sixteenths_rest(k, x), k * -STEP_LOW);
	const vd lacking = one_of_16(sixteenths_lack, (vl)sum), high = power * r.high;
	const struct parts whole = parts_sum(less.high, high);
	const vd more = vd_fma(POLYNOMIAL(exp_steps, r.high), r.high * r.high, vd_fma(lacking, r.high, lacking + r.low));
	const vd lost = less.low + whole.low + vd_mul_low(power, r.high, high);

	return (struct parts){whole.high, vd_fma(power, more, lost)};
}

/*
 * The hyperbolic sine and cosine of k log(2) / 16, times 2, as the difference and the sum of two powers, and of r.
 *
 *     sinh(x) = sinh(K) cosh(r) + cosh(K) sinh(r)    cosh(x) = cosh(K) cosh(r) + sinh(K) sinh(r)
 */
struct hyperbolic {
	struct parts difference, total;
	vd r, r_low;
	vd sine, cosine; /* sinh(r) - r and cosh(r) - 1 */
};

static const double hyperbolic_sine_steps[3] = {
	0x1.a01b1f6537c94p-13, 0x1.11111110d581ep-7, 0x1.5555555555556p-3,
};
static const double hyperbolic_cosine_steps[3] = {
	0x1.6c17f50da2bc2p-10, 0x1.55555554dff97p-5, 0x1.0000000000001p-1,
};

/* For |x| up to FAR. */
ISK_INLINE struct hyperbolic hyperbolic(vd x)
{
	const vd sum = sixteenths_in(x), k = sum - VD_ROUND;
	const struct parts r = parts_sum(sixteenths_rest(k, x), k * -STEP_LOW);
	const vd opposite = VD_ROUND - k, up = whole_power(sum), down = whole_power(opposite), w = r.high * r.high;
	const vd up_low = up * one_of_16(sixteenths_lack, (vl)sum), down_low = down * one_of_16(sixteenths_lack, (vl)opposite);
	const struct parts difference = parts_sum_of_any(up, -down), total = parts_sum_of_any(up, down);

	return (struct hyperbolic){{difference.high, difference.low + (up_low - down_low)}, {total.high, total.low + (up_low + down_low)},
	                           r.high, r.low, POLYNOMIAL(hyperbolic_sine_steps, w) * (w * r.high),
	                           POLYNOMIAL(hyperbolic_cosine_steps, w) * w};
}

#endif
