/* SPDX-License-Identifier: MIT */
/*
 * log(d + more) in two parts: d = 2^e (1 + f) as in exact/logarithm.h, and with s = f / (2 + f)
 *
 *     log(1 + f) = 2 s + 2/3 s^3 + s^5 P(s^2)
 *
 * of which s and the first two terms have two parts and the last is below 2^-12 of them: relative error 2^-65.
 * Constants: derive/exp_two.sollya.
 */
#ifndef ISK_LOG_TWO_H
#define ISK_LOG_TWO_H

#include "both_powers.h"
#include "exact/logarithm.h"
#include "parts.h"

static const double log_steps[8] = {
	0x1.ed0b9613f52e2p-4, 0x1.ddf10932b2ec4p-4, 0x1.112282f99b104p-3, 0x1.3b13555a6eacdp-3,
	0x1.745d186aee60dp-3, 0x1.c71c71c4f8a4p-3, 0x1.2492492493577p-2, 0x1.9999999999993p-2,
};

/* For a normal d, of which more is no more than a rounding; added is to e. */
ISK_INLINE struct parts log_two(vd d, vd more, vd added)
{
	const vul shifted = (vul)((vl)d + (ONE - ROOT_HALF));
	const vl power = (vl)shifted & (int64_t)0xfff0000000000000;
	const vd e = (vd)(shifted >> 52 | 0x4330000000000000) - (0x1p52 + 1023) + added;
	const vd m = (vd)((vl)d - power + ONE), m_low = more * (vd)(2 * ONE - power), above = m + 1;
	const struct parts f = parts_sum(m - 1, m_low), q = {above, m - (above - 1) + m_low};
	const struct parts third = {vd_set1(0x1.5555555555555p-1), vd_set1(0x1.5555555555555p-55)};
	const struct parts s = parts_quotient(f, q), w = parts_product(s, s), cube = parts_product(w, s);
	const struct parts second = parts_product(cube, third), both = parts_sum(s.high + s.high, second.high);
	const struct parts sum = parts_sum(e * LN_2, both.high);
	const vd p = vd_fma(BOTH_POWERS(log_steps, w.high), cube.high * w.high, s.low + s.low + (second.low + both.low));

	return (struct parts){sum.high, sum.low + vd_fma(e, vd_set1(LN_2_LOW), p)};
}

#endif
