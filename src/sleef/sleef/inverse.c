/* SPDX-License-Identifier: MIT */
/*
 * The inverse of erf: x P(w) / Q(w) in w = -log(1 - x^2) for |x| below 0.99, P(r) / Q(r) in
 * r = sqrt(-log(1 - |x|)) from there on. Logarithm, coefficients, polynomials and quotient have two parts, so that only
 * the sum at the end rounds. Worst error seen: 0.752 ulp at
 * -2.4649986665390194e-308, whose result is denormal and rounded twice, and 0.549 elsewhere, at 0x1.0a6cbe0b03765p-1.
 * Constants: ../../kernels/exact/derive/erfinv.py.
 */
#include "inverse_kernels.h"
#include "logarithm.h"
#include "parts.h"

/* -log(u (1 + more)), for a more so small that log(1 + more) is more. */
ISK_INLINE struct parts minus_log(vd u, vd more)
{
	const struct logarithm l = log_of(u);
	const vd exponent = l.e * LN_2, both = exponent + l.high;
	const vd rest = (exponent - both + l.high) + vd_fma(l.e, vd_set1(LN_2_LOW), l.low + more);
	const vd sum = both + rest;

	return (struct parts){-sum, (sum - both) - rest};
}

/* Horner's scheme with the rounding error of each product and each sum. Coefficients of the highest powers come first. */
ISK_INLINE struct parts polynomial(const double (*c)[2], struct parts x)
{
	vd sum = vd_set1(c[0][0]), low = vd_set1(c[0][1]);

#pragma GCC unroll 8
	for (int i = 1; i < 9; i++) {
		const vd product = sum * x.high, next = product + c[i][0], added = next - product;
		const vd lost = (product - (next - added)) + (c[i][0] - added) + c[i][1];

		low = vd_fma(low, x.high, vd_fma(sum, x.low, vd_mul_low(sum, x.high, product) + lost));
		sum = next;
	}
	return (struct parts){sum, low};
}

/* P(x) / Q(x) */
ISK_INLINE struct parts quotient(const double (*p)[2], const double (*q)[2], struct parts x)
{
	return parts_quotient(polynomial(p, x), settled(polynomial(q, x)));
}

/*
 * erfinv(x) for |x| < 0.99. 1 - x^2 is u + low. Products with tiny x are computed at a larger scale, at which no part of
 * them is denormal.
 */
ISK_INLINE vd central(vd x)
{
	static const double p[][2] = {
		{0x1.ca0b59861e649p-26, -0x1.4132fc6b51990p-83}, {0x1.0d4229add9078p-20, 0x1.97ed5f736049ep-74},
		{0x1.4532d471a9d14p-16, 0x1.5239d5a03a264p-70}, {0x1.06198560541dfp-12, 0x1.9691fdbc41dedp-74},
		{0x1.362efa1a13159p-9, 0x1.81cbffb57fda7p-64}, {0x1.156b56d65643dp-6, 0x1.aea7634a28403p-61},
		{0x1.6e936151945e5p-4, -0x1.a50a37ff9ad29p-58}, {0x1.5bb428eee1d29p-2, -0x1.1b8eb90b6ce7dp-56},
		{0x1.c5bf891b4ef6bp-1, -0x1.5cceb31cf0070p-55}};
	static const double q[][2] = {
		{0x1.cdb37f9ad1afcp-30, -0x1.22dbd01dc07d4p-84}, {0x1.a14a8b87d1e68p-23, -0x1.7f85f950a6292p-78},
		{0x1.5038b5b55d04bp-18, -0x1.66bbf653179e3p-75}, {0x1.1fda4dcf0dba2p-14, 0x1.078fcd108db75p-69},
		{0x1.ff67215c445b1p-11, -0x1.05074c621cb71p-65}, {0x1.65328ce5966a8p-8, -0x1.be448641eef85p-65},
		{0x1.cc4445c0d4952p-5, 0x1.fd90e64752b95p-59}, {0x1.f1095000ecf62p-4, 0x1.d3b378cf1a011p-58},
		{1, 0}};
	const vd square = x * x, u = 1 - square, low = (1 - u - square) - vd_mul_low(x, x, square);
	const struct parts y = quotient(p, q, minus_log(u, low / u));
	const vmd is_tiny = vd_lt(v_abs(x), vd_set1(0x1p-900));
	const vd scaled = vd_sel(is_tiny, x * 0x1p200, x), high = scaled * y.high;
	const vd result = high + vd_fma(scaled, y.low, vd_mul_low(scaled, y.high, high));

	return vd_sel(is_tiny, result * 0x1p-200, result);
}

/* erfinv(a) for a >= 0.99. 1 - a is exact. */
static __attribute__((noinline)) vd far(vd a)
{
	static const double p[][2] = {
		{0x1.5a924b8c4261fp-9, -0x1.32de05f209135p-67}, {0x1.a86b18502d5d7p-4, -0x1.0be0a0b979de0p-60},
		{0x1.048bc4d2d5beap+0, -0x1.f30d6b5a8689fp-54}, {0x1.7f1fe6cfbee75p+1, 0x1.8768cc2e6a510p-53},
		{0x1.55afd75e6bf26p+1, -0x1.4ac489d544f96p-53}, {0x1.0438c0b55619fp+1, 0x1.6633bdb6cf3cep-55},
		{0x1.9ef0c13eb3aadp-1, -0x1.74abe03db3372p-55}, {0x1.311bac07d3fe0p-6, -0x1.bad298756e28ep-60},
		{-0x1.2b0470298cc2cp-9, -0x1.33b4967cff147p-65}};
	static const double q[][2] = {
		{0x1.2afb968486c49p-31, 0x1.2fb25ea2a20fcp-85}, {0x1.5a8e8cc39efedp-9, 0x1.e0a6281017223p-63},
		{0x1.a87d5aa9e39a9p-4, -0x1.33fdd1763fc4cp-58}, {0x1.0649aebae841cp+0, -0x1.df95b8138a305p-54},
		{0x1.963f0b6924e7ep+1, 0x1.915326ede7f0ap-53}, {0x1.eb23f2e145117p+1, -0x1.85083eb395447p-54},
		{0x1.f89bd349d5cb7p+1, -0x1.d56d4b39ac83fp-54}, {0x1.087ad7ffeb322p+1, -0x1.317163415487dp-53},
		{1, 0}};
	const struct parts square = minus_log(1 - a, vd_set1(0));
	const vd r = vd_sqrt(square.high), low = (square.low - vd_mul_low(r, r, square.high)) / (r + r);
	const struct parts y = quotient(p, q, (struct parts){r, low});
	const vd at_one = vd_sel(vd_eq(a, vd_set1(1)), vd_set1((double)INFINITY), vd_set1((double)NAN));

	return vd_sel(vd_lt(a, vd_set1(1)), y.high + y.low, at_one);
}

ISK_INLINE vd erfinv_of(vd x)
{
	const vd a = v_abs(x);
	const vmd is_far = vd_le(vd_set1(0.99), a);
	vd y = central(x);

	if (__builtin_expect(vmd_any(is_far), 0))
		y = vd_sel(is_far, far(a), y);
	return v_copysign(y, x);
}

MAP(erfinv, erfinv_of(x))
