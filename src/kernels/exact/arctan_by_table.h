/* SPDX-License-Identifier: MIT */
/*
 * atan in f64, for ISAs with tables of 16 numbers in two registers. From 1/8 to 8, |x| is in parts, two to an octave. The
 * result is an angle near the middle of the part, which is next to an f64, plus atan(t) with
 * t = (x cosine - sine) / (x sine + cosine), where sine is the tangent of the angle and cosine is 1. Below 1/8 the angle
 * is 0; above 8 it is pi/2, sine is 1 and cosine 0. 4096 elements take .7 times the time of arctan.h (Zen 4).
 * Constants: derive/atan_table.py, derive/atan.sollya.
 */
#ifndef ISK_ARCTAN_BY_TABLE_H
#define ISK_ARCTAN_BY_TABLE_H

#include "wide.h"

static const double atan_sine[16] = {
	0x1.3462ap+1, 0x1.b82f2p+1, 0x1.3435cp+2, 0x1.b7108p+2,
	1, 0, 0, 0,
	0x1.400b6p-3, 0x1.bedd8p-3, 0x1.3f77ep-2, 0x1.bea58p-2,
	0x1.3d338p-1, 0x1.bc38ep-1, 0x1.376f4p+0, 0x1.b903ep+0,
};
static const double atan_cosine[16] = {
	1, 1, 1, 1,
	0, 0, 0, 1,
	1, 1, 1, 1,
	1, 1, 1, 1,
};
static const double atan_angle[16] = {
	0x1.2d68275c500eep+0, 0x1.49ae17fd367adp+0, 0x1.5db5ccf989cb2p+0, 0x1.6d11b1e3e87ep+0,
	0x1.921fb54442d18p+0, 0, 0, 0,
	0x1.3d7a0923bcbap-3, 0x1.b7f8311294833p-3, 0x1.35ab6b1a805a2p-2, 0x1.a52bf2eb3ba87p-2,
	0x1.1bfc3a2a8011dp-1, 0x1.6de4b9f7d8a37p-1, 0x1.c3fc1019af8a4p-1, 0x1.0b7b91077328cp+0,
};

/* atan(d) for d = |x|. Infinity becomes 2^128, because the product of infinity and 0 would be NaN. */
ISK_INLINE vd atan_by_table(vd d)
{
	const vd x = vd_min(vd_set1(0x1p128), d);
	const vl part = (vl)vd_min(vd_set1(9), vd_max(vd_set1(0.1), x)) >> 51;
	const vd sine = vd_lookup16(atan_sine, part), cosine = vd_lookup16(atan_cosine, part);
	const vd t = vd_fma(x, cosine, -sine) / vd_fma(x, sine, cosine), w = t * t;
	vd p = vd_set1(0x1.2cc1d054f9f19p-4);

	p = vd_fma(p, w, vd_set1(-0x1.741077b0efd1dp-4));
	p = vd_fma(p, w, vd_set1(0x1.c71ba72093f37p-4));
	p = vd_fma(p, w, vd_set1(-0x1.2492489cd7b1bp-3));
	p = vd_fma(p, w, vd_set1(0x1.9999999945f32p-3));
	p = vd_fma(p, w, vd_set1(-0x1.55555555554ccp-2));
	return vd_lookup16(atan_angle, part) + vd_fma(p, t * w, t);
}

#endif
