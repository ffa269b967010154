/* SPDX-License-Identifier: MIT */
/*
 * log(d) in two parts, where d = 2^e (1 + f) as in exact/logarithm.h. With s = f / (2 + f),
 *
 *     log(1 + f) = 2 s + 2/3 s^3 + s^5 P(s^2)
 *
 * All these numbers except P have two parts, and the last term is below 2^-12 of the others, so the relative error is
 * 2^-65.
 * Constants: derive/exp_two.sollya.
 */
#ifndef ISK_LOG_TWO_H
#define ISK_LOG_TWO_H

#include "both_powers.h"
#include "logarithm.h"
#include "parts.h"

static const double log_steps[8] = {
	0x1.ed0b9613f52e2p-4, 0x1.ddf10932b2ec4p-4, 0x1.112282f99b104p-3, 0x1.3b13555a6eacdp-3,
	0x1.745d186aee60dp-3, 0x1.c71c71c4f8a4p-3, 0x1.2492492493577p-2, 0x1.9999999999993p-2,
};

/* e log(2) + log(m + low) for an m from sqrt(1/2) to sqrt(2) */
ISK_INLINE struct parts log_of_mantissa(vd e, vd m, vd low)
{
	const vd above = m + 1;
	const struct parts f = parts_sum(m - 1, low), q = {above, m - (above - 1) + low};
	const struct parts third = {vd_set1(0x1.5555555555555p-1), vd_set1(0x1.5555555555555p-55)};
	const struct parts s = parts_quotient(f, q), w = parts_product(s, s), cube = parts_product(w, s);
	const struct parts fifth = parts_product(cube, w);
	const struct parts second = parts_product(cube, third), both = parts_sum(s.high + s.high, second.high);
	const struct parts sum = parts_sum(e * LN_2, both.high);
	const vd p = BOTH_POWERS(log_steps, w.high);
	const vd rest = vd_fma(p, fifth.low, s.low + s.low + (second.low + both.low));

	return (struct parts){sum.high, sum.low + vd_fma(e, vd_set1(LN_2_LOW), vd_fma(p, fifth.high, rest))};
}

/* The bits of 2^e, for a normal d = 2^e m with an m from sqrt(1/2) to sqrt(2). */
ISK_INLINE vl power_bits(vd d)
{
	return (vl)((vul)((vl)d + (ONE - ROOT_HALF)) & 0xfff0000000000000);
}

ISK_INLINE vd exponent(vl power)
{
	return (vd)((vul)power >> 52 | 0x4330000000000000) - (0x1p52 + 1023);
}

/* log(2^added d) */
ISK_INLINE struct parts log_two(vd d, vd added)
{
	const vl power = power_bits(d);

	return log_of_mantissa(exponent(power) + added, (vd)((vl)d - power + ONE), vd_set1(0));
}

/* log(d) for a d from 1 to 2 */
ISK_INLINE struct parts log_of_parts(struct parts d)
{
	const vl power = power_bits(d.high);

	return log_of_mantissa(exponent(power), (vd)((vl)d.high - power + ONE), d.low * (vd)(2 * ONE - power));
}

#endif
