/* SPDX-License-Identifier: MIT */
/*
 * The logarithm of |Gamma(x)|. With a = |x|
 *
 *     1 <= a < 3   log(Gamma(a)) = z (z - 1) P(z) / Q(z), z = a - 1, so that the zeros at 1 and 2 are exact
 *     a < 1        the same with z = a, minus log(a)
 *     3 <= a       log(Gamma(a)) = (a - 1/2) (log(a) - 1) + P(a) / Q(a)
 *
 * and below 0 |Gamma(x)| = pi / (|sin(pi a)| Gamma(1 + a)). The error of that difference of logarithms is about
 * 2^-50. If it is below 2^-10 and x is near one of the first six zeros, gamma_zeros.h replaces it, because there the
 * results of f32 are as small as 2^-23; at the other zeros, the smallest is 2^-16. Constants: derive/gamma.py.
 */
#ifndef ISK_LOG_GAMMA_H
#define ISK_LOG_GAMMA_H

#include "gamma_zeros.h"
#include "logarithm.h"
#include "sine_of_pi.h"

#define LOG_PI 0x1.250d048e7a1bdp+0

/* z (z - 1) P(z) / Q(z) if is_near, which is a < 3, else P(a) / Q(a) */
ISK_INLINE vd quotient(vmd is_near, vd z, vd a)
{
	vd p = vd_set1(0x1.fe33b3c0c2874p-21), q = vd_set1(0x1.f6e5eaacc7c05p-14);
	vd far_p = vd_set1(0x1.acfe390c97d64p-2), far_q = vd_set1(1);

	p = vd_fma(p, z, vd_set1(0x1.eecda0d164a50p-12));
	p = vd_fma(p, z, vd_set1(0x1.043d16b19bf24p-6));
	p = vd_fma(p, z, vd_set1(0x1.54bee1b6846aep-3));
	p = vd_fma(p, z, vd_set1(0x1.7be7c5bb5a2c5p-1));
	p = vd_fma(p, z, vd_set1(0x1.91d5e0f7c10bbp+0));
	p = vd_fma(p, z, vd_set1(0x1.8d93a5615dfb3p+0));
	p = vd_fma(p, z, vd_set1(0x1.2788cfc6fb616p-1));
	q = vd_fma(q, z, vd_set1(0x1.af4ac8aeb751cp-8));
	q = vd_fma(q, z, vd_set1(0x1.a88d465036901p-4));
	q = vd_fma(q, z, vd_set1(0x1.61043d787daf3p-1));
	q = vd_fma(q, z, vd_set1(0x1.1feeeb72d1181p+1));
	q = vd_fma(q, z, vd_set1(0x1.e30c464dbe2f5p+1));
	q = vd_fma(q, z, vd_set1(0x1.8ec701e4bdf74p+1));
	q = vd_fma(q, z, vd_set1(1));
	far_p = vd_fma(far_p, a, vd_set1(0x1.bf4e3c668d69ap-1));
	far_p = vd_fma(far_p, a, vd_set1(0x1.641fdc536def4p+0));
	far_p = vd_fma(far_p, a, vd_set1(0x1.f0c6dfc64df1cp-1));
	far_p = vd_fma(far_p, a, vd_set1(0x1.a10041fed0313p-2));
	far_p = vd_fma(far_p, a, vd_set1(0x1.007f595918a67p-4));
	far_q = vd_fma(far_q, a, vd_set1(0x1.e2eefcd87b1d1p+0));
	far_q = vd_fma(far_q, a, vd_set1(0x1.79001a8dcf579p+1));
	far_q = vd_fma(far_q, a, vd_set1(0x1.bc9d4e39402cap+0));
	far_q = vd_fma(far_q, a, vd_set1(0x1.4735e1001f9b7p-1));
	far_q = vd_fma(far_q, a, vd_set1(0x1.47916751e8441p-5));
	return vd_sel(is_near, z * (z - 1) * p, far_p) / vd_sel(is_near, q, far_q);
}

/* log(pi / |sin(pi a)|) - next, where next is log(Gamma(1 + a)) */
static __attribute__((noinline)) vd below_zero(vd d, vd next)
{
	const vd a = vd_abs(d), n = vd_nearest(a);
	const vd y = LOG_PI - ln_of(vd_abs(signed_sinpi(a - n, n))) - next;
	const vmd is_small = vd_lt(vd_abs(y), vd_set1(0x1p-10));

	return __builtin_expect(vmd_any(is_small), 0) ? vd_sel(is_small, unless_near_zero(d, y, 6), y) : y;
}

ISK_INLINE vd lgamma_of(vd d)
{
	const vd a = vd_abs(d), zero = vd_set1(0), one = vd_set1(1), log = ln_of(a);
	const vmd is_small = vd_lt(a, one), is_near = vd_lt(a, vd_set1(3)), is_below = vd_lt(d, zero);
	const vd size = quotient(is_near, vd_sel(is_small, a, a - 1), vd_min(vd_set1(0x1p60), a));
	/* log(Gamma(a)), or log(Gamma(1 + a)) if is_small */
	const vd y = vd_sel(is_near, size, vd_fma(a - 0.5, log - 1, size));
	vd result = y + vd_sel(is_small, -log, zero);

	if (__builtin_expect(vmd_any(is_below), 0))
		result = vd_sel(is_below, below_zero(d, y + vd_sel(is_small, zero, log)), result);
	return result;
}

/* y, or infinity at the poles, one of which is -infinity */
ISK_INLINE vf unless_pole(vf x, vf y)
{
	const vm is_pole = vm_and(vf_le(x, vf_set1(0)), vf_eq(x, vf_floor(x)));

	return vf_sel(is_pole, vf_set1(INFINITY), y);
}

/* For a WIDE of wide.h. */
#define LGAMMA(WIDE, x) unless_pole(x, WIDE(lgamma_of, x))

#endif
