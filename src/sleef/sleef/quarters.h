/* SPDX-License-Identifier: MIT */
/*
 * Sine and cosine for |x| up to 2^19: x = k pi / 2 + r with k = round(2 x / pi) and r in two parts. pi / 2 has three parts:
 * k times the first is subtracted from x exactly, because both are multiples of the last place of x or of pi / 2. The
 * product with the second part, which has 33 bits, is exact, and so is its sum with a smaller difference. No f64 is closer
 * than 2^-62 to a multiple of pi / 2, so the relative error of r is below 2^-57. Constants: derive/by_table.py.
 */
#ifndef ISK_QUARTERS_H
#define ISK_QUARTERS_H

#include "odd_lanes.h"
#include "parts.h"
#include "polynomial.h"
#include "tan_ratio.h"

#define QUARTERS_MOST 0x1p19

/* (sin(r) - r) / r^3 and (cos(r) - 1 + r^2 / 2) / r^4 in r^2, for |r| up to pi / 4 */
static const double sine_steps[6] = {
	0x1.5e11b78aeaa8cp-33, -0x1.ae60217088ddap-26, 0x1.71de37b22f4fap-19, -0x1.a01a019ea178fp-13,
	0x1.1111111110c84p-7, -0x1.5555555555555p-3,
};
static const double cosine_steps[6] = {
	-0x1.9073eb337f7bbp-37, 0x1.1eeb586be1a5ap-29, -0x1.27e4fa0381793p-22, 0x1.a01a019f38b8dp-16,
	-0x1.6c16c16c168ccp-10, 0x1.5555555555555p-5,
};

struct in_quarters {
	vul quarter; /* k + turn, but for the upper bits */
	struct parts r;
};

ISK_INLINE struct in_quarters in_quarters(vd x, const int turn)
{
	const vd sum = vd_fma(x, vd_set1(0x1.45f306dc9c883p-1), vd_set1(VD_ROUND + turn)), minus_k = VD_ROUND + turn - sum;
	const vd near = vd_mul_low(minus_k, vd_set1(0x1.921fb54442d18p+0), -x), second = vd_set1(0x1.1a626331p-54);
	const vd r = vd_fma(minus_k, second, near), low = vd_fma(minus_k, second, near - r);

	return (struct in_quarters){(vul)sum, {r, vd_fma(minus_k, vd_set1(0x1.1701b839a252p-88), low)}};
}

/*
 * The sine of r + quarter pi / 2: r + r^3 P(r^2) or 1 - r^2 / 2 + r^4 Q(r^2), as one polynomial whose coefficients are
 * chosen by lanes.
 */
ISK_INLINE vd sine_of(struct in_quarters t)
{
	const vmd is_even = vul_is_even(t.quarter);
	const vd r = t.r.high, w = r * r, less = vd_fma(w, vd_set1(-0.5), vd_set1(1)), lost = vd_fma(w, vd_set1(-0.5), 1 - less);
	const vd cube = w * vd_sel(is_even, r, w), low = vd_sel(is_even, less * t.r.low, vd_fma(-r, t.r.low, lost));
	vd p = vd_sel(is_even, vd_set1(sine_steps[0]), vd_set1(cosine_steps[0]));

#pragma GCC unroll 5
	for (int i = 1; i < 6; i++)
		p = vd_fma(p, w, vd_sel(is_even, vd_set1(sine_steps[i]), vd_set1(cosine_steps[i])));
	return (vd)((vul)(vd_sel(is_even, r, less) + vd_fma(p, cube, low)) ^ (t.quarter << 62 & (uint64_t)1 << 63));
}

/*
 * tan(r) as a numerator and a denominator in two parts, by tan_ratio.h. Only the polynomials are rounded, whose terms are
 * below .3 of the sums. r.low counts (1 + tan(r)^2) times the denominator, which is about 1 + .65 r^2. An excess of w over
 * r^2 counts about 1/3 of the quotient; the denominator makes up for it.
 */
ISK_INLINE struct parts tan_numerator(struct parts r)
{
	const vd w = r.high * r.high, of_low = r.low * vd_fma(w, vd_set1(0.65), vd_set1(1));

	return parts_sum(r.high, vd_fma(POLYNOMIAL(tan_over, w), w * r.high, of_low));
}

ISK_INLINE struct parts tan_denominator(struct parts r)
{
	const vd w = r.high * r.high, q = POLYNOMIAL(tan_under, w), sum = vd_fma(q, w, vd_set1(1));

	return (struct parts){sum, vd_fma(vd_mul_low(r.high, r.high, w), vd_set1(-1 / 3.0), vd_fma(q, w, 1 - sum))};
}

#endif
