/* SPDX-License-Identifier: MIT */
/*
 * gelu(a) b in f64 lanes, since gelu(a) may be smaller than any f32 although its product
 * with b is not: gelu(a) = max(a, 0) - |a| Phi(-|a|), Phi(-|a|) = exp(-a^2 / 2) P(|a|) /
 * Q(|a|), whose relative error is 2^-31.9. From a = -20 down the product is 0 for every b.
 * Constants: derive/geglu.py. Worst error found: 0.5036 ulp at -0x1.70b37ap+2 and
 * 0x1.3b29acp+84.
 */
#include "geglu_kernels.h"
#include "both.h"
#include "pow2.h"

/* gelu(-Inf) is -0. */
ISK_INLINE vd geglu_of(vd a, vd b)
{
	const vd size = vd_min(vd_set1(20), vd_abs(a)), e = vd_exp_by_series(size * size * -0.5);
	vd p = vd_set1(0x1.ef64f083583b9p-11), q = vd_set1(0x1.3671493b88188p-9), gelu;

	p = vd_fma(p, size, vd_set1(0x1.8f3f39c6e976bp-7));
	p = vd_fma(p, size, vd_set1(0x1.2dff7444b5dcbp-4));
	p = vd_fma(p, size, vd_set1(0x1.067b5abf9a8afp-2));
	p = vd_fma(p, size, vd_set1(0x1.0732b58af5e22p-1));
	p = vd_fma(p, size, vd_set1(0x1.ffffffff656ffp-2));
	q = vd_fma(q, size, vd_set1(0x1.f4614ac292c48p-6));
	q = vd_fma(q, size, vd_set1(0x1.7f5b4cfa2016fp-3));
	q = vd_fma(q, size, vd_set1(0x1.58921e7359464p-1));
	q = vd_fma(q, size, vd_set1(0x1.7837a1629fe89p+0));
	q = vd_fma(q, size, vd_set1(0x1.d374df08e56fep+0));
	q = vd_fma(q, size, vd_set1(1));
	gelu = vd_max(vd_set1(-0.0), a) - size * e * p / q;
	return vd_sel(vd_lt(a, vd_set1(-0x1p200)), vd_set1(-0.0), gelu) * b;
}

ZIP(geglu, OF_BOTH(geglu_of, a, b))
