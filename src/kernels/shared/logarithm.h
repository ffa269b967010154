/* SPDX-License-Identifier: MIT */
/*
 * Logarithms in f64. d = 2^e (1 + f) with 1 + f from sqrt(1/2) to sqrt(2), and with
 * s = f / (2 + f)
 *
 *     log(1 + f) = log((1 + s) / (1 - s)) = 2 s + s^3 P(s^2)
 *
 * 2 s is kept apart from the other terms, which include the rounding error of its quotient,
 * so that only the final sum rounds. Constants: ../exact/derive/log.sollya.
 */
#ifndef ISK_LOGARITHM_H
#define ISK_LOGARITHM_H

#include "wide.h"

/* log(d) = e log(2) + high + low */
struct logarithm {
	vd e, high, low;
};

#define ONE       ((uint64_t)0x3ff0000000000000)
#define ROOT_HALF ((uint64_t)0x3fe6a09e667f3bcd)

/* e log(2) + log((1 + s) / (1 - s)), where lost is the rounding error of 2 s */
ISK_INLINE struct logarithm log_by_s(vd e, vd s, vd lost)
{
	const vd w = s * s;
	vd p = vd_set1(0x1.307e31b0e3cc4p-3);

	p = vd_fma(p, w, vd_set1(0x1.397968694fba3p-3));
	p = vd_fma(p, w, vd_set1(0x1.7467f3f97e73dp-3));
	p = vd_fma(p, w, vd_set1(0x1.c71c48c733ebdp-3));
	p = vd_fma(p, w, vd_set1(0x1.2492494ef53cdp-2));
	p = vd_fma(p, w, vd_set1(0x1.999999996e556p-2));
	p = vd_fma(p, w, vd_set1(0x1.55555555555d6p-1));
	return (struct logarithm){e, s + s, vd_fma(p, s * w, lost)};
}

ISK_INLINE struct logarithm log_of(vd d)
{
	/* The biased exponent of d / sqrt(1/2) is that of 2^e and is in the upper 12 bits. */
	const vul shifted = (vul)d + (ONE - ROOT_HALF);
	/* The lower bits of 2^52 + an integer are the integer. */
	const vd e = (vd)(shifted >> 52 | 0x4330000000000000) - (0x1p52 + 1023);
	const vd m = (vd)((vul)d - (shifted & 0xfff0000000000000) + ONE);
	const vd f = m - 1, q = m + 1, s = f / q;

	/* 1 / q = (1 - s) / 2 */
	return log_by_s(e, s, vd_mul_low(s, q, f) * (s - 1));
}

/* The logarithm in a unit in which log(2) is unit_of_2 + low; unit_of_2 has 40 bits. */
ISK_INLINE vd log_sum(struct logarithm l, const double unit_of_2, const double low)
{
	const vd exponent = l.e * unit_of_2, both = exponent + l.high;

	return both + ((exponent - both + l.high) + vd_fma(l.e, vd_set1(low), l.low));
}

#define LN_2     0x1.62e42fefa4p-1
#define LN_2_LOW -0x1.8432a1b0e2634p-43

ISK_INLINE vd ln_of(vd d)
{
	return log_sum(log_of(d), LN_2, LN_2_LOW);
}

static __attribute__((noinline, unused)) double ln_of_one(double x)
{
	return ln_of(vd_set1(x))[0];
}

/* log(1 + d) = log(u) + c (1 - d), where u is 1 + d rounded and c its rounding error, which counts below 2^-29. */
ISK_INLINE vd log1p_of(vd d)
{
	const vd u = d + 1, c = d - (u - 1);
	struct logarithm l = log_of(u);

	l.low += c * vd_max(vd_set1(0), 1 - d);
	return log_sum(l, LN_2, LN_2_LOW);
}

#endif
