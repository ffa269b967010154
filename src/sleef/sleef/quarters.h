/* SPDX-License-Identifier: MIT */
/*
 * Sine and cosine for |x| up to 2^19 quarters: x = k pi / 2 + r with k = round(2 x / pi) and r in two parts. pi / 2 has three
 * parts: k times the first is subtracted from x exactly, because both are multiples of the last place of x or of pi / 2. The
 * product with the second part, which has 33 bits, is exact, and so is its sum with a smaller difference. No f64 is closer
 * than 2^-62 to a multiple of pi / 2, so the relative error of r is below 2^-57. Small parts are those by which a number is
 * too large, and are subtracted, because then -0 stays -0 without a word on signs. Constants: derive/by_table.py.
 */
#ifndef ISK_QUARTERS_H
#define ISK_QUARTERS_H

#include "odd_lanes.h"
#include "parts.h"
#include "polynomial.h"
#include "tan_ratio.h"

/* k + 2^19 is counted in last places of 2, and the bits of the sum with 2 tell whether it is from 0 to 2^20. */
#define QUARTER       0x1p-51
#define QUARTERS_MOST ((int64_t)1 << 19)
#define NO_QUARTERS   (2 + QUARTERS_MOST * QUARTER)
#define ALL_QUARTERS  (2 + 2 * QUARTERS_MOST * QUARTER)

/* (r - sin(r)) / r^3 and (1 - r^2 / 2 - cos(r)) / r^4 in r^2, for |r| up to pi / 4: derive/by_table.py's with other signs. */
static const double sine_steps[6] = {
	-0x1.5e11b78aeaa8cp-33, 0x1.ae60217088ddap-26, -0x1.71de37b22f4fap-19, 0x1.a01a019ea178fp-13,
	-0x1.1111111110c84p-7, 0x1.5555555555555p-3,
};
static const double cosine_steps[6] = {
	0x1.9073eb337f7bbp-37, -0x1.1eeb586be1a5ap-29, 0x1.27e4fa0381793p-22, -0x1.a01a019f38b8dp-16,
	0x1.6c16c16c168ccp-10, -0x1.5555555555555p-5,
};

/* high - excess */
struct rounded {
	vd high, excess;
};

struct in_quarters {
	vul quarter; /* k + turn, but for the upper bits */
	struct rounded r;
};

/* Reduces x. r is valid only if x is not far. Without FMA, -0 may become 0. */
ISK_INLINE struct in_quarters in_quarters(vd x, const int turn)
{
	const double none = NO_QUARTERS + turn * QUARTER;
	const vd sum = vd_fma(x, vd_set1(0x1.45f306dc9c883p-1 * QUARTER), vd_set1(none)), k = sum - none;
	const vd near = vd_mul_low(k, vd_set1(-0x1.921fb54442d18p+0 / QUARTER), -x), second = vd_set1(0x1.1a626331p-54 / QUARTER);
	const vd r = vd_fma(k, -second, near), excess = vd_fma(k, second, r - near);

	return (struct in_quarters){(vul)sum, {r, vd_fma(k, vd_set1(0x1.1701b839a252p-88 / QUARTER), excess)}};
}

/* Whether x, which may be known to be positive, has too many quarters. */
ISK_INLINE vmd is_far(vul quarter, const int is_positive)
{
	const vmd is_above = vd_le(vd_set1(ALL_QUARTERS), (vd)quarter);

	return is_positive ? is_above : vd_lt((vd)quarter, vd_set1(2)) | is_above;
}

/* NaN may count. From 2 on all bits but these are 0 up to ALL_QUARTERS, and in no other number but 0 and denormals. */
ISK_INLINE int any_is_far(vul quarter, const int is_positive)
{
#ifdef __AVX512F__
	const int64_t bits_of_2 = (int64_t)1 << 62;

	(void)is_positive;
	return _mm512_test_epi64_mask((__m512i)quarter, _mm512_set1_epi64(~(bits_of_2 | (2 * QUARTERS_MOST - 1)))) != 0;
#else
	return vmd_any(is_far(quarter, is_positive));
#endif
}

/*
 * The sine of r + quarter pi / 2: r - r^3 P(r^2) or 1 - r^2 / 2 - r^4 Q(r^2), as one polynomial whose coefficients are
 * chosen by lanes.
 */
ISK_INLINE vd sine_of(struct in_quarters t)
{
	const vmd is_even = vul_is_even(t.quarter);
	const vd r = t.r.high, w = r * r, less = vd_fma(w, vd_set1(-0.5), vd_set1(1)), over = vd_fma(w, vd_set1(0.5), less - 1);
	const vd cube = w * vd_sel(is_even, r, w);
	const vd excess = vd_sel(is_even, less * t.r.excess, vd_fma(-r, t.r.excess, over));
	vd p = vd_sel(is_even, vd_set1(sine_steps[0]), vd_set1(cosine_steps[0]));

#pragma GCC unroll 5
	for (int i = 1; i < 6; i++)
		p = vd_fma(p, w, vd_sel(is_even, vd_set1(sine_steps[i]), vd_set1(cosine_steps[i])));
	return (vd)((vul)(vd_sel(is_even, r, less) - vd_fma(p, cube, excess)) ^ (t.quarter << 62 & (uint64_t)1 << 63));
}

/*
 * tan(r) as a numerator and a denominator in two parts, by tan_ratio.h. Only the polynomials are rounded, whose terms are
 * below .3 of the sums. r.excess counts (1 + tan(r)^2) times the denominator, which is about 1 + .65 r^2. An excess of w over
 * r^2 counts about 1/3 of the quotient; the denominator makes up for it.
 */
ISK_INLINE struct rounded tan_numerator(struct rounded r)
{
	const vd w = r.high * r.high, of_excess = r.excess * vd_fma(w, vd_set1(0.65), vd_set1(1));
	const vd less = vd_fma(-POLYNOMIAL(tan_over, w), w * r.high, of_excess), sum = r.high - less;

	return (struct rounded){sum, sum - r.high + less};
}

ISK_INLINE struct rounded tan_denominator(struct rounded r)
{
	const vd w = r.high * r.high, q = POLYNOMIAL(tan_under, w), sum = vd_fma(q, w, vd_set1(1));
	const vd excess = vd_fma(-q, w, sum - 1);

	return (struct rounded){sum, vd_fma(vd_mul_low(r.high, r.high, w), vd_set1(1 / 3.0), excess)};
}

/* over / under, or -under / over for lanes of m */
ISK_INLINE vd quotient_either_way(vmd m, struct rounded over, struct rounded under)
{
	const vd a = vd_sel(m, under.high, over.high), b = vd_minus_or(m, over.high, under.high);
	const vd a_excess = vd_sel(m, under.excess, over.excess), b_excess = vd_minus_or(m, over.excess, under.excess);
	const vd inverse = 1 / b, y = a * inverse;
	const vd excess = vd_mul_low(y, b, a) + vd_fma(-y, b_excess, a_excess);

	return vd_fma(-excess, inverse, y);
}

#endif
