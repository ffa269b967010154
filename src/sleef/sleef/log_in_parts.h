/* SPDX-License-Identifier: MIT */
/*
 * The logarithm of a normal d = 2^e m in two parts, with m in one of 16 parts of [47/64, 47/32): log(m) = log(1 + r) - log(c),
 * where c has 5 or 6 bits and is near 1 / m, so that r = c m - 1 is exact. c is 1 from 63/64 to 33/32, so that nothing cancels.
 * |r| is at most 1/29, half as much as in log_sixteenths.h, so that the terms from r^3 on need no second part.
 * Constants: derive/by_table.py.
 */
#ifndef ISK_LOG_IN_PARTS_H
#define ISK_LOG_IN_PARTS_H

#include "logarithm.h"
#include "parts.h"
#include "polynomial.h"
#include "sixteen.h"

static const double narrow_inverse[16] = {
	0x1.58p+0, 0x1.48p+0, 0x1.38p+0, 0x1.3p+0, 0x1.28p+0, 0x1.18p+0, 0x1.1p+0, 0x1.08p+0,
	0x1p+0, 0x1.ep-1, 0x1.c8p-1, 0x1.bp-1, 0x1.98p-1, 0x1.88p-1, 0x1.7p-1, 0x1.6p-1,
};

/* -log(c), as a head that is a multiple of 2^-40, and the rest. */
static const double narrow_head[16] = {
	-0x1.2e8e2bae1p-2, -0x1.fb9186d5ep-3, -0x1.9525a9cf48p-3, -0x1.5ff3070a78p-3,
	-0x1.29552f82p-3, -0x1.6f0d28ae5p-4, -0x1.f0a30c012p-5, -0x1.f829b0e78p-6,
	0, 0x1.08598b59ep-4, 0x1.da7276384p-4, 0x1.5bf406b54p-3,
	0x1.d1037f2658p-3, 0x1.1178e8228p-2, 0x1.522ae0738cp-2, 0x1.7fafa3bd8p-2,
};
static const double narrow_rest[16] = {
	-0x1.d309c2cc91a85p-42, -0x1.f1546aaa3361cp-42, 0x1.4a5c4df67c564p-42, -0x1.3d3c873e20a07p-43,
	0x1.5b967f4471dfcp-44, -0x1.ad2e6f9266e7bp-42, 0x1.3ab33d066d1d2p-42, -0x1.980267c7e09e4p-45,
	0, 0x1.d034451fecdfbp-43, 0x1.1a89401fa7173p-42, 0x1.ed8fdc149767ep-42,
	-0x1.0c253f3adb7b7p-42, -0x1.b8421cc74be04p-42, -0x1.c2831efd36715p-42, 0x1.51bede6fdb533p-42,
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
	                            vd_mul_low((vd)((vul)d - power), one_of_16(narrow_inverse, at), vd_set1(1))};
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
	const vd head = vd_fma(l.e, vd_set1(LN_2), one_of_16(narrow_head, l.at));
	const vd rest = vd_fma(l.e, vd_set1(LN_2_LOW), one_of_16(narrow_rest, l.at));
	const vd square = l.r * l.r, half = -0.5 * square;
	const struct parts first = parts_sum(head, l.r), both = parts_sum(first.high, half);
	const vd lost = vd_fma(vd_mul_low(l.r, l.r, square), vd_set1(-0.5), first.low + both.low + rest);

	return parts_sum(both.high, vd_fma(POLYNOMIAL(log1p_longer_steps, l.r), square * l.r, lost));
}

#endif
