/* SPDX-License-Identifier: MIT */
/*
 * The inverse of erf: x P(w) / Q(w) with w = -log(1 - x^2), which is at most 16.7 for an f32 below 1. x^2 has 48 bits.
 * Near 1 the difference 1 - x^2 is exact; elsewhere w is small and its error hardly matters. The quotient has a relative
 * error of 2^-47, and all its coefficients are positive, so that no digit is lost. Constants: derive/erfinv.py.
 */
#ifndef ISK_INVERSE_ERF_H
#define ISK_INVERSE_ERF_H

#include "logarithm.h"

ISK_INLINE vd erfinv_of(vd d)
{
	const vd w = -ln_of(1 - d * d);
	vd p = vd_set1(0x1.632118f6f4bf2p-40), q = vd_set1(0x1.355fd8912c81dp-45);

	p = vd_fma(p, w, vd_set1(0x1.a30c652a56740p-33));
	p = vd_fma(p, w, vd_set1(0x1.b5a9fbd7725cbp-28));
	p = vd_fma(p, w, vd_set1(0x1.359c3a8ce532cp-23));
	p = vd_fma(p, w, vd_set1(0x1.522ff0e783b27p-19));
	p = vd_fma(p, w, vd_set1(0x1.1ec053f7b12b7p-15));
	p = vd_fma(p, w, vd_set1(0x1.7bddad9a74095p-12));
	p = vd_fma(p, w, vd_set1(0x1.8c72602914db9p-9));
	p = vd_fma(p, w, vd_set1(0x1.454165a82c959p-6));
	p = vd_fma(p, w, vd_set1(0x1.956f0ed241714p-4));
	p = vd_fma(p, w, vd_set1(0x1.6bcfb26e9880bp-2));
	p = vd_fma(p, w, vd_set1(0x1.c5bf891b4ef6ap-1));
	q = vd_fma(q, w, vd_set1(0x1.660e278e2c59bp-36));
	q = vd_fma(q, w, vd_set1(0x1.56f855608fbd8p-30));
	q = vd_fma(q, w, vd_set1(0x1.14d4647f2bee2p-25));
	q = vd_fma(q, w, vd_set1(0x1.530db4edb6339p-21));
	q = vd_fma(q, w, vd_set1(0x1.61257d738c802p-17));
	q = vd_fma(q, w, vd_set1(0x1.cce5e6eb57d09p-14));
	q = vd_fma(q, w, vd_set1(0x1.548f50dff9583p-10));
	q = vd_fma(q, w, vd_set1(0x1.c60266e25963dp-8));
	q = vd_fma(q, w, vd_set1(0x1.fde4bcf8a98afp-5));
	q = vd_fma(q, w, vd_set1(0x1.1cde7ba4e9adbp-3));
	q = vd_fma(q, w, vd_set1(1));
	return d * p / q;
}

/* y for |x| < 1, an infinity at 1 and -1, NaN beyond and for a NaN */
ISK_INLINE vf within_one(vf x, vf y)
{
	const vf a = vf_abs(x), one = vf_set1(1), inf = vf_set1(INFINITY);

	return vf_sel(vf_lt(a, one), y, vf_sel(vf_eq(a, one), vf_copysign(inf, x), vf_set1(NAN)));
}

/* For a WIDE of wide.h. */
#define ERFINV(WIDE, x) within_one(x, WIDE(erfinv_of, x))

#endif
