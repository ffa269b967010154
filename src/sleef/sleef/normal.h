/* SPDX-License-Identifier: MIT */
/*
 * The normal distribution. Phi(-a) = exp(-a^2 / 2) H(a) with an H that falls from 1/2 like
 * 1 / (a sqrt(2 pi)), and the derivative of gelu, Phi(x) + x phi(x), is at -a
 *
 *     exp(-a^2 / 2) (H(a) - a / sqrt(2 pi)) = -exp(-a^2 / 2) (a - Z) G(a)
 *
 * The factor a - Z has the zero of the derivative, and G has none, so no digits are lost near Z.
 * For a up to 56, (a + 5/4) H(a) and G(a) are computed as polynomials in t = 1 - 10 / (a + 5). Their last coefficients are
 * the largest, so the steps with these are in two parts. Constants: derive/normal.py.
 */
#ifndef ISK_NORMAL_H
#define ISK_NORMAL_H

#include "exp_two.h"

static const double tail_steps[22] = {
	-0x1.93b8e5b0f2592p-32, -0x1.31031ea76d679p-32, 0x1.26130ccde5935p-28, 0x1.09c472bd5ef08p-28,
	-0x1.feb8614ecaafdp-26, -0x1.ed83603be30f9p-26, 0x1.915073c14cb74p-23, 0x1.3b848408b58b6p-23,
	-0x1.4ebd4e766b5cdp-20, -0x1.00a6a4dbf4094p-22, 0x1.2559d194b1664p-17, -0x1.14522a35121e1p-17,
	-0x1.bfad7d4f7847ap-15, 0x1.5eb375311085dp-13, 0x1.5af5b3892bebcp-15, -0x1.a8fbdc5b5deb0p-10,
	0x1.84736ae1f06f4p-8, -0x1.a77265b4064a3p-7, 0x1.321c3a9d60564p-6, -0x1.d9140d6f743cfp-7,
	-0x1.4ed7f8c39b554p-7, 0x1.ebe8e26b67149p-5,
};
static const double last_tail_steps[2][2] = {
	{-0x1.04f3080b418b9p-3, 0x1.7a87a9fa69721p-57}, {0x1.ec4896da77b19p-2, 0x1.4bf397e14612dp-56},
};

static const double slope_steps[20] = {
	-0x1.2680868631f67p-35, -0x1.66e1d686c149bp-36, 0x1.c3bbe8faf45abp-32, 0x1.5a13d823ed5f8p-32,
	-0x1.ab8b115e92646p-29, -0x1.58ea49e85f23dp-29, 0x1.7b08d7b0fe408p-26, 0x1.ae29149a3d345p-27,
	-0x1.6ac6a4ee2a579p-23, 0x1.6f42d0000cfaap-26, 0x1.6d21f59b9e0dep-20, -0x1.0b75975c7f010p-19,
	-0x1.34bd91299b328p-17, 0x1.54f8b48e4fea5p-15, -0x1.fde2ad6c97013p-17, -0x1.cdee09d016f2ap-12,
	0x1.2dc07799d93c7p-9, -0x1.e0a9519473e56p-8, 0x1.23c3758992bc6p-6, -0x1.231a8d1238443p-5,
};
static const double last_slope_steps[3][2] = {
	{0x1.ef8423a0a7468p-5, 0x1.e32dbee317693p-59}, {-0x1.6fce89f8d2b96p-4, -0x1.a797848a10c21p-59},
	{0x1.ce451b41a3ba0p-2, -0x1.7b17eb3e42d77p-56},
};

/* t = (a - 5) / (a + 5). Its low part is the rounding error of the quotient. */
ISK_INLINE struct parts place(struct parts a)
{
	const vd five = vd_set1(5), above = a.high + five, below = a.high - five, r = 1 / above;
	const vd above_low = a.high - (above - five) + a.low, below_low = a.high - (below + five) + a.low;
	const vd t = vd_fma(r, vd_set1(-10), vd_set1(1));

	return parts_sum(t, (below_low - vd_mul_low(t, above, below) - t * above_low) * r);
}

/* Horner's scheme: y becomes y t + c for each c, with the rounding error of each product and each sum. */
ISK_INLINE struct parts last_steps(vd y, const double (*c)[2], const size_t count, struct parts t)
{
	struct parts sum = {y, vd_set1(0)};

#pragma GCC unroll 3
	for (size_t i = 0; i < count; i++) {
		const struct parts product = parts_product(sum, t), next = parts_sum_of_any(vd_set1(c[i][0]), product.high);

		sum = (struct parts){next.high, next.low + (product.low + c[i][1])};
	}
	return sum;
}

#define POLYNOMIAL_TWO(c, t) \
	last_steps(BOTH_POWERS(c, (t).high), last_##c, sizeof(last_##c) / sizeof(*last_##c), t)

/* H(a) times m */
ISK_INLINE struct parts tail_of(struct parts a, struct parts m)
{
	const struct parts t = place(a), near = parts_sum_of_any(a.high, vd_set1(1.25));

	return parts_quotient(parts_product(POLYNOMIAL_TWO(tail_steps, t), m), parts_sum(near.high, near.low + a.low));
}

/* (a - Z) G(a). The low part of Z is all of a - Z at the f64 nearest to Z: as a low part it would lose digits there. */
ISK_INLINE struct parts slope_of(vd a)
{
	const struct parts t = place((struct parts){a, vd_set1(0)}), far = parts_sum_of_any(a, vd_set1(-0x1.80ead197f00b4p-1));
	const struct parts beside = {far.high, far.low + 0x1.13e74c58cada8p-56}, at = {beside.low, vd_set1(0)};
	const struct parts from = parts_sel(vd_eq(far.high, vd_set1(0)), at, beside);

	return parts_product(from, POLYNOMIAL_TWO(slope_steps, t));
}

/* exp(-a^2 / 2) */
ISK_INLINE struct power bell(vd a)
{
	const vd half = a * -0.5, s = half * a;

	return power_of(s, vd_mul_low(half, a, s));
}

#endif
