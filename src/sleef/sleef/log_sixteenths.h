/* SPDX-License-Identifier: MIT */
/*
 * The logarithm of a normal d = 2^e m, with m in part j of the 16 of [3/4, 3/2): log(m) = log(1 + r) - log(c), where c has 5
 * or 6 bits and is near 1 / m, so that r = c m - 1 is exact. c is 1 in the two parts beside 1, so that nothing cancels. With
 * k = 16 e + j,
 *
 *     log(d) = (k log(2) / 16 + head) + (r + (r^2 P(r) + rest)),    head + rest = -log(c) - j log(2) / 16
 *
 * The first sum is exact, and where c is 1 it is 0. Elsewhere |r| is so small that the sum with r has at most half the rounding
 * error of the last one. Constants: derive/by_table.py.
 */
#ifndef ISK_LOG_SIXTEENTHS_H
#define ISK_LOG_SIXTEENTHS_H

#include "both_powers.h"
#include "parts.h"
#include "sixteen.h"

#include <float.h>
#include <math.h>

static const double log_inverse[16] = {
	0x1.5p+0, 0x1.4p+0, 0x1.38p+0, 0x1.28p+0, 0x1.2p+0, 0x1.18p+0, 0x1.1p+0, 0x1p+0,
	0x1p+0, 0x1.ep-1, 0x1.cp-1, 0x1.bp-1, 0x1.9p-1, 0x1.8p-1, 0x1.7p-1, 0x1.6p-1,
};

struct log_unit {
	double step, step_low; /* log(2) / 16: a multiple of 2^-42, and the rest to 49 bits */
	double of_e, of_e_low; /* log(e). The rest of log2(e) is 2^-56 of it, and left out. */
	double steps[9];       /* (log(1 + r) - r log(e)) / r^2, for r from -1/32 to 1/16 */
	double head[16], rest[16];
};

static const struct log_unit natural = {
	0x1.62e42fefap-5, 0x1.cf79abc9e3b4p-44, 1, 0,
	{
		-0x1.659817e3343e7p-4, 0x1.c566f5a6436dfp-4, -0x1.00098ae66d94cp-3, 0x1.2492dbdddfd34p-3, -0x1.555554d9ca416p-3,
		0x1.999999800d3ccp-3, -0x1.ffffffffeaab1p-3, 0x1.5555555555fa1p-2, -0x1.0000000000004p-1,
	},
	{
		-0x1.1675cababap-2, -0x1.10dc443ac9p-2, -0x1.234be0e38cp-2, -0x1.19c029baddp-2,
		-0x1.2a0e35b07ep-2, -0x1.3991e8215cp-2, -0x1.483f8573ddp-2, -0x1.3687a9f1acp-2,
		-0x1.62e42fefap-2, -0x1.4d2a53171fp-2, -0x1.32e0c7da4dp-2, -0x1.39ffbe8edfp-2,
		-0x1.178d6481d8p-2, -0x1.1a1cacd21cp-2, -0x1.1ae4736fd4p-2, -0x1.19bc3623d1p-2,
	},
	{
		-0x1.8380e731f55c4p-44, -0x1.13af3084e7926p-44, 0x1.8a7de04629f0fp-44, -0x1.2d68419393c3fp-48,
		0x1.93bab22ff131ep-44, 0x1.ef2f36278ee97p-47, -0x1.f20d12a1a1c37p-44, -0x1.958a7650a73d8p-41,
		-0x1.cf79abc9e3b4p-41, -0x1.55bcffb24f296p-45, -0x1.8b44ef717cc87p-44, -0x1.9fd78ad358e38p-47,
		0x1.6af74b630e198p-45, -0x1.491f548b650cap-45, -0x1.8acf83fd3674dp-46, -0x1.e1259714ea3f5p-44,
	},
};
static const struct log_unit binary = {
	0x1p-4, 0, 0x1.71547652b82fep+0, 0,
	{
		-0x1.01ee9b8dd154ep-3, 0x1.470ed4dc38793p-3, -0x1.71623580bd89ep-3, 0x1.a618369d00631p-3, -0x1.ec709d1505f89p-3,
		0x1.2776c4fc87faap-2, -0x1.71547652a8785p-2, 0x1.ec709dc3a12d9p-2, -0x1.71547652b8304p-1,
	},
	{
		-0x1.91bba891f1p-2, -0x1.89a784bcd2p-2, -0x1.a4407ab0ep-2, -0x1.967af16da7p-2,
		-0x1.ae00d1cfdfp-2, -0x1.c462c466d4p-2, -0x1.d98fdbeb24p-2, -0x1.cp-2,
		-0x1p-1, -0x1.e0a7eda4c1p-2, -0x1.babb3faa02p-2, -0x1.c5013ab7cep-2,
		-0x1.934f0979a3p-2, -0x1.970068e7efp-2, -0x1.9820a01ac7p-2, -0x1.96753e032fp-2,
	},
	{
		-0x1.c22d2cad415aep-44, 0x1.1d406db502403p-44, -0x1.ce60916e52e91p-44, -0x1.927dfc23d978p-44,
		0x1.2f0c0bfe9dbecp-44, 0x1.871a7610e40bdp-45, -0x1.3167ccc538261p-44, 0,
		0, -0x1.2ce6312ebb81dp-46, -0x1.66cccab240e9p-46, -0x1.cb6f70109b0f1p-47,
		-0x1.c57f2495fb7fap-44, -0x1.6879fa00b120ap-44, -0x1.532c412ba94dbp-44, 0x1.7c407050799bfp-44,
	},
};
static const struct log_unit decimal = {
	0x1.34413509fp-6, 0x1.e7fbcc47c4adp-44, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57,
	{
		-0x1.369eedfe91b28p-5, 0x1.89d2aaa85a10bp-5, -0x1.bcc84ad4589b2p-5, 0x1.fc40a4ade320cp-5, -0x1.287a75c9acfc8p-4,
		0x1.63c6275ef7beep-4, -0x1.bcb7b1525c23fp-4, 0x1.287a7636f4c5p-3, -0x1.bcb7b1526e515p-3,
	},
	{
		-0x1.e3bc1ab0ep-4, -0x1.da01d0cae4p-4, -0x1.fa089f0dacp-4, -0x1.e97373e68p-4,
		-0x1.02e341dd24p-3, -0x1.105d078cd2p-3, -0x1.1d1cda1d7cp-3, -0x1.0db90e68b2p-3,
		-0x1.34413509fp-3, -0x1.21623c1186p-3, -0x1.0a8d06eedap-3, -0x1.10bc6ee7f8p-3,
		-0x1.e5a1d206dp-4, -0x1.ea1429a49cp-4, -0x1.eb6f357784p-4, -0x1.e96c9696acp-4,
	},
	{
		-0x1.9fe3d562a53fp-44, 0x1.973a812d1bbb2p-44, 0x1.c07baa376bbf9p-45, -0x1.b9520b9379cfcp-44,
		0x1.c18575a857c02p-45, -0x1.522632202c368p-45, 0x1.efb535b27476cp-45, -0x1.aafc52becc176p-41,
		-0x1.e7fbcc47c4adp-41, 0x1.d7937726bb03ep-44, -0x1.b03463ebcde46p-44, -0x1.edd105d4e0547p-45,
		-0x1.61a433f72c7e6p-44, -0x1.4792076d38184p-44, 0x1.3efb84e9fe096p-46, -0x1.d6eac7a7fa6fep-50,
	},
};

/* d = 2^e m, k = 16 e + j */
struct log_part {
	vl at;     /* % 16: j */
	vul power; /* the bits of 2^e, less those of 1 */
	vd k;
};

/* Constants of integers are written as the f64 with their bits, because gcc then keeps them in registers or in memory. */
ISK_INLINE struct log_part log_part(vd d)
{
	/* d / (3/4): its exponent is e, and the four bits below that are j. */
	const vul from = (vul)d - (vul)vd_set1(0.75), power = from & (vul)vd_set1(-(double)INFINITY);
#if VL == 16
	const vl at = (vl)from >> 48;
	const vd k = vl_to_vd(at);
#else
	const vl at = (vl)((from + (vul)vd_set1(1)) >> 48);
	const vd k = (vd)(at | (vl)vd_set1(0x1p52)) - (0x1p52 + 16 * 1023);
#endif

	return (struct log_part){at, power, k};
}

/* m */
ISK_INLINE vd log_mantissa(vd d, struct log_part p)
{
#ifdef __AVX512F__
	(void)p;
	return _mm512_getmant_pd(d, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src);
#else
	return (vd)((vul)d - p.power);
#endif
}

ISK_INLINE vd log_r(vd d, struct log_part p)
{
	return vd_mul_low(log_mantissa(d, p), one_of_16(log_inverse, p.at), vd_set1(1));
}

/* lost is added to r, for natural logarithms only. */
ISK_INLINE vd log_sum_of(struct log_part l, vd r, const struct log_unit *unit, vd lost)
{
	const vd head = vd_fma(l.k, vd_set1(unit->step), one_of_16(unit->head, l.at)), of_e = vd_set1(unit->of_e);
	const vd p = BOTH_POWERS(unit->steps, r), of_part = one_of_16(unit->rest, l.at);
	const vd rest = (unit->step_low != 0 ? vd_fma(l.k, vd_set1(unit->step_low), of_part) : of_part) + lost;
	const vd more = unit->of_e_low != 0 ? vd_fma(r, vd_set1(unit->of_e_low), rest) : rest;

	if (unit->of_e == 1)
		return head + (r + vd_fma(p, r * r, more));
#if ISK_FMA
	return head + vd_fma(r, of_e, vd_fma(p, r * r, more));
#else
	return head + (r * of_e + vd_fma(p, r * r, more + vd_mul_low(r, of_e, r * of_e)));
#endif
}

/* Whether d is anything but a normal positive number, whose bits are from 2^52 to those of infinity. */
ISK_INLINE vmd is_special(vd d)
{
#ifdef __AVX512DQ__
	return _mm512_fpclass_pd_mask(d, 0xff);
#else
	const vl from = (vl)((vul)d + (vul)vd_set1((double)INFINITY));

	return vl_lt((vl)vd_set1(-DBL_MAX) - (int64_t)((uint64_t)1 << 52), from);
#endif
}

/* The logarithm y of a positive d, and what d's special values have instead: -Inf, NaN, +Inf. */
ISK_INLINE vd log_or_special(vd d, vd y)
{
	const vd zero = vd_set1(0), inf = vd_set1((double)INFINITY);
	const vd special = vd_sel(vd_lt(d, zero), vd_set1((double)NAN), vd_sel(vd_lt(zero, d), d, d - inf));

	return vd_sel(vd_lt(zero, d), vd_sel(vd_lt(d, inf), y, special), special);
}

static __attribute__((noinline, unused)) vd log_of_any(vd x, const struct log_unit *unit)
{
	const vmd is_denormal = vd_lt(x, vd_set1(DBL_MIN));
	const vd d = vd_sel(is_denormal, x * 0x1p54, x);
	struct log_part l = log_part(d);

	l.k -= vd_sel(is_denormal, vd_set1(54 * 16), vd_set1(0));
	return log_or_special(x, log_sum_of(l, log_r(d, l), unit, vd_set1(-0.0)));
}

ISK_INLINE vd log_in(vd x, const struct log_unit *unit)
{
	const struct log_part l = log_part(x);
	const vd y = log_sum_of(l, log_r(x, l), unit, vd_set1(-0.0));

	return __builtin_expect(vmd_any(is_special(x)), 0) ? log_of_any(x, unit) : y;
}

/* c / 2^e, for numbers below 2^1000 */
ISK_INLINE vd scaled_inverse(struct log_part l)
{
	return (vd)((vul)one_of_16(log_inverse, l.at) - l.power);
}

/* log(u + low), for a u below 2^1000 and a low of a few rounding errors of u, or no larger than u - 1. */
ISK_INLINE vd log_of_both(struct parts u)
{
	const struct log_part l = log_part(u.high);
	const vd c = scaled_inverse(l), r = vd_mul_low(c, u.high, vd_set1(1)), lost = c * u.low;

	return log_sum_of(l, r, &natural, vd_fma(-lost, r, lost));
}

/*
 * log(a / b), for settled a and b, with r = (c a - b) / b. The remainder of that division and the low parts are added to r, but
 * for r^2 times their sum.
 */
ISK_INLINE vd log_of_ratio(struct parts a, struct parts b)
{
	const vd inverse = 1 / b.high;
	const struct log_part l = log_part(a.high * inverse);
	const vd c = scaled_inverse(l), over = vd_mul_low(c, a.high, b.high), r = over * inverse;
	const vd rest = vd_fma(c, a.low, -vd_mul_low(r, b.high, over));

	return log_sum_of(l, r, &natural, (vd_fma(-rest, r, rest) - b.low) * inverse);
}

/* log(2 x) for a normal x; infinity and NaN pass. */
static __attribute__((noinline, unused)) vd log_of_twice(vd x)
{
	struct log_part l = log_part(x);

	l.k += 16;
	return log_or_special(x, log_sum_of(l, log_r(x, l), &natural, vd_set1(-0.0)));
}

#endif
