/* SPDX-License-Identifier: MIT */
/*
 * The logarithm of a normal d = 2^e m, with m in one of 16 parts of [47/64, 47/32): log(m) = log(1 + r) - log(c), where c has
 * 5 or 6 bits and is near 1 / m, so that r = c m - 1 is exact. c is 1 from 63/64 to 33/32, so that nothing cancels.
 *
 *     log(d) = (e log(2) - log(c)) + r + r^2 P(r)
 *
 * The first sum has a head without rounding error, and the rounding error of its sum with r is computed, so that only the
 * last sum rounds. Constants: derive/by_table.py.
 */
#ifndef ISK_LOG_SIXTEENTHS_H
#define ISK_LOG_SIXTEENTHS_H

#include "logarithm.h"
#include "parts.h"
#include "polynomial.h"
#include "sixteen.h"

#include <float.h>
#include <math.h>

static const double log_inverse[16] = {
	0x1.58p+0, 0x1.48p+0, 0x1.38p+0, 0x1.3p+0, 0x1.28p+0, 0x1.18p+0, 0x1.1p+0, 0x1.08p+0,
	0x1p+0, 0x1.ep-1, 0x1.c8p-1, 0x1.bp-1, 0x1.98p-1, 0x1.88p-1, 0x1.7p-1, 0x1.6p-1,
};

/* -log(c) in units of which log(2) has so many: a head that is a multiple of 2^-40, and the rest. */
struct log_unit {
	double of_2, of_2_low;
	double head[16], rest[16];
};

static const struct log_unit natural = {
	LN_2, LN_2_LOW,
	{
		-0x1.2e8e2bae1p-2, -0x1.fb9186d5ep-3, -0x1.9525a9cf48p-3, -0x1.5ff3070a78p-3,
		-0x1.29552f82p-3, -0x1.6f0d28ae5p-4, -0x1.f0a30c012p-5, -0x1.f829b0e78p-6,
		0, 0x1.08598b59ep-4, 0x1.da7276384p-4, 0x1.5bf406b54p-3,
		0x1.d1037f2658p-3, 0x1.1178e8228p-2, 0x1.522ae0738cp-2, 0x1.7fafa3bd8p-2,
	},
	{
		-0x1.d309c2cc91a85p-42, -0x1.f1546aaa3361cp-42, 0x1.4a5c4df67c564p-42, -0x1.3d3c873e20a07p-43,
		0x1.5b967f4471dfcp-44, -0x1.ad2e6f9266e7bp-42, 0x1.3ab33d066d1d2p-42, -0x1.980267c7e09e4p-45,
		0, 0x1.d034451fecdfbp-43, 0x1.1a89401fa7173p-42, 0x1.ed8fdc149767ep-42,
		-0x1.0c253f3adb7b7p-42, -0x1.b8421cc74be04p-42, -0x1.c2831efd36715p-42, 0x1.51bede6fdb533p-42,
	},
};
static const struct log_unit binary = {
	1, 0,
	{
		-0x1.b47ebf7388p-2, -0x1.6e221cd9dp-2, -0x1.24407ab0ep-2, -0x1.fbc16b9028p-3,
		-0x1.acf5e2db5p-3, -0x1.08c588cda8p-3, -0x1.663f6fac9p-4, -0x1.6bad3758ep-5,
		0, 0x1.7d60496dp-4, 0x1.563dc29ff8p-3, 0x1.f5fd8a906p-3,
		0x1.4f6fbb2cecp-2, 0x1.8a8980abfcp-2, 0x1.e7df5fe538p-2, 0x1.14c560fe68p-1,
	},
	{
		-0x1.50520a377c7ecp-45, -0x1.9bcaf1aa4168ap-43, -0x1.ce60916e52e91p-44, 0x1.7f5dc57266758p-43,
		0x1.36c101ee13440p-43, 0x1.871a7610e40bdp-45, -0x1.3167ccc538261p-44, -0x1.fb0e626c0de13p-42,
		0, -0x1.12ce6312ebb82p-42, 0x1.6590643906f2ap-42, 0x1.f1a4847f7b278p-42,
		0x1.661e393a16b95p-44, -0x1.66cccab240e90p-45, 0x1.5669df6a2b592p-43, 0x1.5f101c141e670p-42,
	},
};
static const struct log_unit decimal = {
	0x1.34413509f8p-2, -0x1.80433b83b532ap-44,
	{
		-0x1.06cbd67a7p-3, -0x1.b8de4d3abp-4, -0x1.5fe80488bp-4, -0x1.31b3055c4p-4,
		-0x1.02428c1f1p-4, -0x1.3ed1199a6p-5, -0x1.af5f92bp-6, -0x1.b5e908ebp-7,
		0, 0x1.cb38fccd8p-6, 0x1.9c197abfp-5, 0x1.2e3a740b8p-4,
		0x1.93e7de0fcp-4, 0x1.db11ed767p-4, 0x1.25ba8215bp-3, 0x1.4d43f82758p-3,
	},
	{
		0x1.e24d5d39d7814p-42, -0x1.ecbfaee4bfd1fp-43, 0x1.606adb567e739p-45, -0x1.c46006d082e6dp-42,
		0x1.ffa85650f50ddp-42, 0x1.bdafc8ad828b8p-45, -0x1.cc1f4dbc14db5p-43, -0x1.37900f974ff1bp-43,
		0, 0x1.7fb6d2d6528c7p-43, 0x1.badcf3d6e4566p-46, -0x1.ffc5aef53f2edp-42,
		0x1.f3fc5e5fcd7d1p-43, -0x1.502f348f0f913p-42, -0x1.007bf2d8bf07ap-44, 0x1.24195345798e5p-42,
	},
};

/* (log(1 + r) - r) / r^2, for |r| up to 1/29 */
static const double log1p_steps[9] = {
	-0x1.9a939339bd6dfp-4, 0x1.c8175bbad78b9p-4, -0x1.ffffc0e002864p-4, 0x1.24922cfe7805ep-3,
	-0x1.555555587b485p-3, 0x1.9999999bf02dap-3, -0x1.ffffffffffe6ep-3, 0x1.55555555554eap-2,
	-0.5,
};

struct log_reduced {
	vl at;     /* % 16: the part */
	vul power; /* the bits of 2^e, less those of 1 */
	vd e, r;
};

/* Constants of integers are written as the f64 with their bits, because gcc then keeps them in registers or in memory. */
ISK_INLINE struct log_reduced log_reduced(vd d)
{
	/* d / (47/64): its exponent is e, and the four bits below that are the part. */
	const vul from = (vul)d - (vul)vd_set1(47 / 64.0), power = from & (vul)vd_set1(-(double)INFINITY);
	const vl at = (vl)(from >> 48);
#if VL == 16
	const vd e = vl_to_vd((vl)from >> 52);
#else
	const vd e = (vd)((from + (vul)vd_set1(1)) >> 52 | (vul)vd_set1(0x1p52)) - (0x1p52 + 1023);
#endif

	return (struct log_reduced){at, power, e,
	                            vd_mul_low((vd)((vul)d - power), one_of_16(log_inverse, at), vd_set1(1))};
}

/*
 * The logarithm in a unit of which a natural one is high + low times as many. lost is added to r, for natural logarithms
 * only.
 */
ISK_INLINE vd log_of_reduced(struct log_reduced l, const struct log_unit *unit, const double high, const double low, vd lost)
{
	const vd head = vd_fma(l.e, vd_set1(unit->of_2), one_of_16(unit->head, l.at));
	const vd of_part = one_of_16(unit->rest, l.at);
	const vd rest = unit->of_2_low != 0 ? vd_fma(l.e, vd_set1(unit->of_2_low), of_part) : of_part;
	const vd r = l.r * high;
	const struct parts sum = parts_sum(head, r);

	if (high != 1)
		lost = vd_fma(l.r, vd_set1(low), vd_mul_low(l.r, vd_set1(high), r));
	return sum.high + vd_fma(POLYNOMIAL(log1p_steps, l.r), l.r * r, sum.low + rest + lost);
}

ISK_INLINE vd ln_of_reduced(struct log_reduced l, vd lost)
{
	return log_of_reduced(l, &natural, 1, 0, lost);
}

/* (log(1 + r) - r + r^2 / 2) / r^3 */
static const double log1p_longer_steps[9] = {
	0x1.741b8011fdf7cp-4, -0x1.9a7fa143cd830p-4, 0x1.c71cfeea6e0e8p-4, -0x1.ffffcc615c14dp-4,
	0x1.249249111d30cp-3, -0x1.555555577a513p-3, 0x1.999999999b5e0p-3, -0x1.fffffffffff3bp-3,
	0x1.5555555555555p-2,
};

/* The natural logarithm in two parts, with a relative error of 2^-64. */
ISK_INLINE struct parts ln_in_parts(struct log_reduced l)
{
	const vd head = vd_fma(l.e, vd_set1(natural.of_2), one_of_16(natural.head, l.at));
	const vd rest = vd_fma(l.e, vd_set1(natural.of_2_low), one_of_16(natural.rest, l.at));
	const vd square = l.r * l.r, half = -0.5 * square;
	const struct parts first = parts_sum(head, l.r), both = parts_sum(first.high, half);
	const vd lost = vd_fma(vd_mul_low(l.r, l.r, square), vd_set1(-0.5), first.low + both.low + rest);

	return parts_sum(both.high, vd_fma(POLYNOMIAL(log1p_longer_steps, l.r), square * l.r, lost));
}

/* Whether d is anything but a normal positive number, whose bits are from 2^52 to those of infinity. */
ISK_INLINE vmd is_special(vd d)
{
	const vl from = (vl)((vul)d + (vul)vd_set1((double)INFINITY));

	return vl_lt((vl)vd_set1(-DBL_MAX) - (int64_t)((uint64_t)1 << 52), from);
}

/* The logarithm y of a positive d, and what d's special values have instead: -Inf, NaN, +Inf. */
ISK_INLINE vd log_or_special(vd d, vd y)
{
	const vd zero = vd_set1(0), inf = vd_set1((double)INFINITY);
	const vd special = vd_sel(vd_lt(d, zero), vd_set1((double)NAN), vd_sel(vd_lt(zero, d), d, d - inf));

	return vd_sel(vd_lt(zero, d), vd_sel(vd_lt(d, inf), y, special), special);
}

/* The same of a denormal too. */
ISK_INLINE struct log_reduced log_reduced_of_any(vd x)
{
	const vmd is_denormal = vd_lt(x, vd_set1(DBL_MIN));
	struct log_reduced l = log_reduced(vd_sel(is_denormal, x * 0x1p54, x));

	l.e -= vd_sel(is_denormal, vd_set1(54), vd_set1(0));
	return l;
}

static __attribute__((noinline, unused)) vd log_of_any(vd x, const struct log_unit *unit, const double high, const double low)
{
	return log_or_special(x, log_of_reduced(log_reduced_of_any(x), unit, high, low, vd_set1(-0.0)));
}

ISK_INLINE vd log_in(vd x, const struct log_unit *unit, const double high, const double low)
{
	const vd y = log_of_reduced(log_reduced(x), unit, high, low, vd_set1(-0.0));

	return __builtin_expect(vmd_any(is_special(x)), 0) ? log_of_any(x, unit, high, low) : y;
}

/* log(u + low), for a low no larger than the rounding error of u or than u - 1. */
ISK_INLINE vd log_of_both(struct parts u)
{
	const struct log_reduced l = log_reduced(u.high);
	const vd scale = vd_max(vd_set1(0), (vd)(ONE - l.power)); /* 2^-e. That of the largest u is counted as 0. */
	const vd lost = u.low * (scale * one_of_16(log_inverse, l.at));

	return ln_of_reduced(l, vd_fma(-lost, l.r, lost));
}

/* log(2 x) for a normal x; infinity and NaN pass. */
static __attribute__((noinline, unused)) vd log_of_twice(vd x)
{
	struct log_reduced l = log_reduced(x);

	l.e += 1;
	return log_or_special(x, ln_of_reduced(l, vd_set1(-0.0)));
}

#endif
