/* SPDX-License-Identifier: MIT */
/*
 * The normal distribution. Phi(-a) = exp(-a^2 / 2) H(a) with an H that falls from 1/2 like
 * 1 / (a sqrt(2 pi)), and the derivative of gelu, Phi(x) + x phi(x), is at -a
 *
 *     exp(-a^2 / 2) (H(a) - a / sqrt(2 pi)) = -exp(-a^2 / 2) (a - Z) G(a)
 *
 * with the place Z where it is 0 in front of a G that is nowhere: no digit is lost next to it.
 * Of t = 1 - 10 / (a + 5), for a up to 56, (a + 5) H(a) and G(a) are polynomials. Constants:
 * derive/normal.py.
 */
#ifndef ISK_NORMAL_H
#define ISK_NORMAL_H

#include "by_sleef.h"
#include "polynomial.h"

static const double tail[23] = {
	-0x1.cd443a5f7fa27p-32, 0x1.281a2d918f7f6p-30, 0x1.11985e664e70dp-27, -0x1.f498402f73416p-28,
	-0x1.190340e028104p-24, 0x1.54fcf9c19a93fp-25, 0x1.cfac12279d622p-22, -0x1.677fde6add4b4p-22,
	-0x1.73864236e7a60p-19, 0x1.0b1a57a0b25cfp-18, 0x1.17dab9534e83fp-16, -0x1.a17068dd9bcddp-15,
	-0x1.f21407aea3d0fp-15, 0x1.1daf1c420e394p-11, -0x1.a25038d702807p-11, -0x1.88590ea517c24p-9,
	0x1.54b4d4f58f36dp-6, -0x1.1b1c254c9c411p-4, 0x1.51f6329f0028cp-3, -0x1.410ed5f875a56p-2,
	0x1.fb31653876fc6p-2, -0x1.54ad03f27ca17p-1, 0x1.89d3abe1f95aep-1,
};

static const double slope[23] = {
	-0x1.2680868631f67p-35, -0x1.66e1d686c149bp-36, 0x1.c3bbe8faf45abp-32, 0x1.5a13d823ed5f8p-32,
	-0x1.ab8b115e92646p-29, -0x1.58ea49e85f23dp-29, 0x1.7b08d7b0fe408p-26, 0x1.ae29149a3d345p-27,
	-0x1.6ac6a4ee2a579p-23, 0x1.6f42d0000cfaap-26, 0x1.6d21f59b9e0dep-20, -0x1.0b75975c7f010p-19,
	-0x1.34bd91299b328p-17, 0x1.54f8b48e4fea5p-15, -0x1.fde2ad6c97013p-17, -0x1.cdee09d016f2ap-12,
	0x1.2dc07799d93c7p-9, -0x1.e0a9519473e56p-8, 0x1.23c3758992bc6p-6, -0x1.231a8d1238443p-5,
	0x1.ef8423a0a7468p-5, -0x1.6fce89f8d2b96p-4, 0x1.ce451b41a3ba0p-2,
};

/* 1 / (a + 5), and t, which has the digits that the quotient and the sum lost. */
struct place {
	vd r, t;
};

ISK_INLINE struct place place(vd a)
{
	const vd sum = a + 5, lost = a - (sum - 5), r = 1 / sum;
	const vd low = -(vd_mul_low(sum, r, vd_set1(1)) + lost * r) * r;

	return (struct place){r + low, vd_fma(low, vd_set1(-10), vd_fma(r, vd_set1(-10), vd_set1(1)))};
}

ISK_INLINE vd tail_of(vd a)
{
	const struct place at = place(a);

	return POLYNOMIAL(tail, at.t) * at.r;
}

/* (a - Z) G(a) */
ISK_INLINE vd slope_of(vd a)
{
	const vd from = a - 0x1.80ead197f00b4p-1 + 0x1.13e74c58cada8p-56;

	return POLYNOMIAL(slope, place(a).t) * from;
}

#endif
