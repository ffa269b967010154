/* SPDX-License-Identifier: MIT */
/*
 * Sine and cosine for |x| up to 2^19: x = k pi / 2 + r with k = round(2 x / pi) and r in two parts. pi / 2 has three parts:
 * k times the first is subtracted from x exactly, because both are multiples of the last place of x or of pi / 2. The
 * product with the second part, which has 33 bits, is exact, and so is its sum with a smaller difference. No f64 is closer
 * than 2^-62 to a multiple of pi / 2, so the relative error of r is below 2^-57. Constants: derive/by_table.py.
 */
#ifndef ISK_QUARTERS_H
#define ISK_QUARTERS_H

#include "parts.h"
#include "polynomial.h"

#define QUARTERS_MOST 0x1p19

/* (sin(r) - r) / r^3 and (cos(r) - 1 + r^2 / 2) / r^4 in r^2, for |r| up to pi / 4 */
static const double sine_steps[6] = {
	0x1.5e11b78aeaa8cp-33, -0x1.ae60217088ddap-26, 0x1.71de37b22f4fap-19, -0x1.a01a019ea178fp-13,
	0x1.1111111110c84p-7, -0x1.5555555555555p-3,
};
/* The same with a relative error of 2^-61, for tan. */
static const double long_sine_steps[7] = {
	-0x1.8d4a1f3c321afp-41, 0x1.60e5c04bc7857p-33, -0x1.ae63f7f27ce6bp-26, 0x1.71de3a1031557p-19,
	-0x1.a01a019fe8845p-13, 0x1.111111111101ep-7, -0x1.5555555555555p-3,
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
	const vd near = vd_mul_low(minus_k, vd_set1(0x1.921fb54442d18p+0), -x);
	const struct parts r = parts_sum(near, minus_k * 0x1.1a626331p-54);

	return (struct in_quarters){(vul)sum, {r.high, vd_fma(minus_k, vd_set1(0x1.1701b839a252p-88), r.low)}};
}

/*
 * The sine of r + quarter pi / 2: r + r^3 P(r^2) or 1 - r^2 / 2 + r^4 Q(r^2), as one polynomial whose coefficients are
 * chosen by lanes.
 */
ISK_INLINE vd sine_of(struct in_quarters t)
{
	const vmd is_even = vl_eq((vl)(t.quarter & 1), (vl){0});
	const vd r = t.r.high, w = r * r, less = vd_fma(w, vd_set1(-0.5), vd_set1(1)), lost = vd_fma(w, vd_set1(-0.5), 1 - less);
	const vd slope = vd_sel(is_even, less, -r), cube = w * vd_sel(is_even, r, w);
	const vd low = vd_fma(slope, t.r.low, vd_sel(is_even, vd_set1(0), lost));
	vd p = vd_sel(is_even, vd_set1(sine_steps[0]), vd_set1(cosine_steps[0]));

#pragma GCC unroll 5
	for (int i = 1; i < 6; i++)
		p = vd_fma(p, w, vd_sel(is_even, vd_set1(sine_steps[i]), vd_set1(cosine_steps[i])));
	return (vd)((vul)(vd_sel(is_even, r, less) + vd_fma(p, cube, low)) ^ (t.quarter << 62 & (uint64_t)1 << 63));
}

/* The sine and the cosine of r, for functions of both. */
ISK_INLINE struct parts sine_near_0(struct parts r)
{
	const vd w = r.high * r.high;

	return (struct parts){r.high, vd_fma(POLYNOMIAL(long_sine_steps, w), w * r.high, r.low * vd_fma(w, vd_set1(-0.5), vd_set1(1)))};
}

ISK_INLINE struct parts cosine_near_0(struct parts r)
{
	const vd w = r.high * r.high, less = vd_fma(w, vd_set1(-0.5), vd_set1(1)), lost = vd_fma(w, vd_set1(-0.5), 1 - less);

	return (struct parts){less, vd_fma(POLYNOMIAL(cosine_steps, w), w * w, vd_fma(-r.high, r.low, lost))};
}

#endif
