/* SPDX-License-Identifier: MIT */
/*
 * Logarithms, correctly rounded. d = 2^e (1 + f) with 1 + f from sqrt(1/2) to
 * sqrt(2), and with s = f / (2 + f)
 *
 *     log(1 + f) = log((1 + s) / (1 - s)) = 2 s + s^3 P(s^2)
 *
 * 2 s stands apart from what is added to it, with what its quotient lost, so that
 * the sum alone rounds. Constants: derive/log.sollya.
 */
#include "cr_log_kernels.h"
#include "wide.h"

/* log(d) = e log(2) + high + low */
struct logarithm {
	vd e, high, low;
};

#define ONE       ((int64_t)0x3ff0000000000000)
#define ROOT_HALF ((int64_t)0x3fe6a09e667f3bcd)

ISK_INLINE struct logarithm log_of(vd d)
{
	/* The exponent of d / sqrt(1/2), biased, is that of 2^e; it is in the upper 12 bits. */
	const vul shifted = (vul)((vl)d + (ONE - ROOT_HALF));
	/* 2^52 + an integer has it in the lower bits. */
	const vd e = (vd)(shifted >> 52 | 0x4330000000000000) - (0x1p52 + 1023);
	const vd m = (vd)((vl)d - ((vl)shifted & (int64_t)0xfff0000000000000) + ONE);
	const vd f = m - 1, q = m + 1, s = f / q, w = s * s;
	/* 1 / q = (1 - s) / 2 */
	const vd lost = vd_mul_low(s, q, f) * (s - 1);
	vd p = vd_set1(0x1.307e31b0e3cc4p-3);

	p = vd_fma(p, w, vd_set1(0x1.397968694fba3p-3));
	p = vd_fma(p, w, vd_set1(0x1.7467f3f97e73dp-3));
	p = vd_fma(p, w, vd_set1(0x1.c71c48c733ebdp-3));
	p = vd_fma(p, w, vd_set1(0x1.2492494ef53cdp-2));
	p = vd_fma(p, w, vd_set1(0x1.999999996e556p-2));
	p = vd_fma(p, w, vd_set1(0x1.55555555555d6p-1));
	return (struct logarithm){e, s + s, vd_fma(p, s * w, lost)};
}

/* In another base: times unit, where 2 is unit_of_2. Both in two parts, the first of which has 40 bits of unit_of_2. */
ISK_INLINE struct logarithm in_units_of(struct logarithm l, const double unit, const double unit_low)
{
	const vd high = l.high * unit;

	return (struct logarithm){l.e, high,
	                          vd_mul_low(l.high, vd_set1(unit), high) + vd_fma(l.high, vd_set1(unit_low), l.low * unit)};
}

ISK_INLINE vd sum(struct logarithm l, const double unit_of_2, const double low)
{
	const vd exponent = l.e * unit_of_2, both = exponent + l.high;

	return both + ((exponent - both + l.high) + vd_fma(l.e, vd_set1(low), l.low));
}

ISK_INLINE vd ln_of(vd d)
{
	return sum(log_of(d), 0x1.62e42fefa4p-1, -0x1.8432a1b0e2634p-43);
}

ISK_INLINE vd log2_of(vd d)
{
	return sum(in_units_of(log_of(d), 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56), 1, 0);
}

ISK_INLINE vd log10_of(vd d)
{
	return sum(in_units_of(log_of(d), 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57), 0x1.34413509f8p-2,
	           -0x1.80433b83b532ap-44);
}

/* What 1 + d loses, c, counts below 2^-29: log(1 + d) = log(u) + c (1 - d) with u = 1 + d, rounded. */
ISK_INLINE vd log1p_of(vd d)
{
	const vd u = d + 1, c = d - (u - 1);
	struct logarithm l = log_of(u);

	l.low += c * vd_max(vd_set1(0), 1 - d);
	return sum(l, 0x1.62e42fefa4p-1, -0x1.8432a1b0e2634p-43);
}

/* y for 0 < 1 + x < Inf, where 1 + x is what the logarithm is taken of; -Inf for 0, NaN below. */
ISK_INLINE vf where_defined(vf x, float zero, vf y)
{
	const vf inf = vf_set1(INFINITY), z = vf_set1(zero);

	y = vf_sel(vf_lt(x, inf), y, x);
	return vf_sel(vf_lt(z, x), y, vf_sel(vf_eq(x, z), -inf, vf_set1(NAN)));
}

static const struct hard hard_log[] = {{0x3c413d3a, -0x1.1c2b1ep+2f}, {0x41178feb, 0x1.1fcbcep+1f},
	{0x4c5d65a5, 0x1.1e0696p+4f}, {0x65d890d3, 0x1.a9a3f2p+5f}, {0x6f31a8ec, 0x1.08b512p+6f}};
static const struct hard hard_log10[] = {{0x0efeee7a, -0x1.d33a46p+4f}};
static const struct hard hard_log1p[] = {{0x35400003, 0x1.7ffffep-21f}, {0x3710001b, 0x1.1fffe6p-17f},
	{0x3efd81ad, 0x1.9bddc2p-2f}, {0x41078feb, 0x1.1fcbcep+1f}, {0x65d890d3, 0x1.a9a3f2p+5f}, {0x6f31a8ec, 0x1.08b512p+6f},
	{0xb53ffffd, -0x1.800002p-21f}, {0xb70fffe5, -0x1.20001ap-17f}, {0xbb0ec8c4, -0x1.1de14ap-9f}};

#define LOG(WIDE, x)   where_defined(x, 0, WIDE(ln_of, x))
#define LOG2(WIDE, x)  where_defined(x, 0, WIDE(log2_of, x))
#define LOG10(WIDE, x) where_defined(x, 0, WIDE(log10_of, x))
#define LOG1P(WIDE, x) where_defined(x, -1, vf_copysign(WIDE(log1p_of, x), x))

MAP(cr_log, BUT_FOR(hard_log, x, LOG(WIDE, x)))
MAP(log, LOG(WIDE_TO_ODD, x))
MAP(cr_log2, LOG2(WIDE, x))
MAP(log2, LOG2(WIDE_TO_ODD, x))
MAP(cr_log10, BUT_FOR(hard_log10, x, LOG10(WIDE, x)))
MAP(log10, LOG10(WIDE_TO_ODD, x))
MAP(cr_log1p, BUT_FOR(hard_log1p, x, LOG1P(WIDE, x)))
MAP(log1p, LOG1P(WIDE_TO_ODD, x))
