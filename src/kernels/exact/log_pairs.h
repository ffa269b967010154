/* SPDX-License-Identifier: MIT */
/*
 * The logarithm of a positive normal x as the sum of two f32, for ISAs with fused multiply-add: twice as many lanes as in
 * f64. x = 2^e m, with an m in one of 16 parts of [47/64, 47/32], each of which has a c near 1 / m. c m is product + lost,
 * exactly, and so is r = product - 1. Then
 *
 *     log(x) = e log(2) - log(c) + r - r^2 / 2 + r^3 q(r) + lost (1 - r)
 *
 * log(2) and -log(c) have a first part that is a multiple of 2^-17, so that `first`, the sum of e log(2) and -log(c) in first
 * parts, is exact. first + r is high + low, exactly, because |first| is 0 or greater than |r|. The other terms are below
 * 2^-10, and the error of their sum is at most 0.93 of `error` (found over all x). If adding `error` to the result and
 * subtracting it round to the same f32, so does log(x). If they do not, which happens to one vector in some tens, or if x is
 * not positive, normal and finite, exact(x) decides.
 *
 * Constants: derive/log_pairs.sollya.
 */
#ifndef ISK_LOG_PAIRS_H
#define ISK_LOG_PAIRS_H

#include "vmath.h"

/* c, and -log(c) in two parts */
static const float log_pairs_inverse[16] = {
	0x1.555556p+0f, 0x1.47ae14p+0f, 0x1.3b13b2p+0f, 0x1.2f684cp+0f,
	0x1.24924ap+0f, 0x1.1a7b96p+0f, 0x1.111112p+0f, 0x1.08421p+0f,
	0x1p+0f, 0x1.e1e1e2p-1f, 0x1.c71c72p-1f, 0x1.af286cp-1f,
	0x1.99999ap-1f, 0x1.861862p-1f, 0x1.745d18p-1f, 0x1.642c86p-1f,
};
static const float log_pairs_first[16] = {
	-0x1.2696p-2f, -0x1.f99p-3f, -0x1.a94p-3f, -0x1.5bf4p-3f,
	-0x1.1178p-3f, -0x1.9338p-4f, -0x1.0858p-4f, -0x1.041p-5f,
	0, 0x1.f0ap-5f, 0x1.e27p-4f, 0x1.5ff4p-3f,
	0x1.c9p-3f, 0x1.1676p-2f, 0x1.4618p-2f, 0x1.739ep-2f,
};
static const float log_pairs_rest[16] = {
	-0x1.189a6ep-21f, -0x1.c3cb3cp-19f, 0x1.273752p-19f, -0x1.ed50f6p-25f,
	-0x1.dc44fcp-20f, 0x1.0d9536p-19f, -0x1.9959e4p-20f, -0x1.72279ep-19f,
	0, 0x1.85008cp-20f, 0x1.d38abcp-22f, -0x1.f3eb0ep-20f,
	-0x1.0b0cacp-20f, -0x1.b42a2cp-21f, 0x1.74438cp-19f, -0x1.03a886p-19f,
};

ISK_INLINE vf log_by_pairs(vf x, vf exact(vf x))
{
	/* The bits of x minus those of 47/64: e in the upper 9 bits, then the number of the part. */
	const vi from = (vi)((vu)vf_bits(x) - 0x3f3c0000), part = from >> 19;
	const vf m = vi_float((vi)((vu)vf_bits(x) - ((vu)from & 0xff800000))), e = vi_to_vf(from >> 23);
	const vf c = vf_lookup16(log_pairs_inverse, part), product = m * c, r = product - 1, lost = vf_fma(m, c, -product);
	const vf first = vf_fma(e, vf_set1(0x1.62e4p-1f), vf_lookup16(log_pairs_first, part));
	const vf high = first + r, low = r - (high - first), square = r * r;
	const vf rest = vf_fma(e, vf_set1(0x1.7f7d1cp-20f), vf_lookup16(log_pairs_rest, part));
	vf q = vf_fma(vf_set1(0x1.99dc7ep-3f), r, vf_set1(-0x1.0028aep-2f));
	vf tail, error, y;
	vm is_certain;

	q = vf_fma(vf_fma(q, r, vf_set1(0x1.555556p-2f)), r, vf_set1(-0.5f));
	tail = vf_fma(square, q, rest + low + vf_fma(-lost, r, lost));
	error = vf_fma(vf_abs(high), vf_set1(0x1p-36f), square * 0x1.6p-23f);
	y = high + (tail - error);
	is_certain = vm_and(vf_eq(y, high + (tail + error)), vm_and(vf_ge(x, vf_set1(0x1p-126f)), vf_lt(x, vf_set1(INFINITY))));
	return __builtin_expect(vm_all(is_certain), 1) ? y : exact(x);
}

#endif
