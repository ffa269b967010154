/* SPDX-License-Identifier: MIT */
/*
 * exp and its kin on one vector, for the maps and for what other kernels do on
 * the way (post-operations, softmax). Every lane takes the same operations in
 * the same order at every ISA. Worst errors are in the files of the maps.
 *
 * exp(x) = 2^n * exp(r) with n = round(x / ln 2). Functions that die out to one
 * side are written with exp of a negative number and apply 2^n last, so that
 * their relative error holds down to the smallest denormal.
 */
#ifndef ISK_VMATH_H
#define ISK_VMATH_H

#include "vec.h"

/* r of x and, in *sum, n + VF_ROUND(bias). ln 2 is split so that n * high is exact. */
ISK_INLINE vf isk_exp_reduce(vf x, int bias, vf *sum)
{
	vf n;

	*sum = vf_fma(x, vf_set1(0x1.715476p+0f), vf_set1(VF_ROUND(bias)));
	n = *sum - VF_ROUND(bias);
	return vf_fnma(n, vf_set1(0x1.7f7d1cp-20f), vf_fnma(n, vf_set1(0x1.62e4p-1f), x));
}

/* (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2; derive/exp.py */
ISK_INLINE vf isk_exp_tail(vf r)
{
	vf q = vf_fma(vf_set1(0x1.6a23dcp-10f), r, vf_set1(0x1.123a2p-7f));

	q = vf_fma(q, r, vf_set1(0x1.5558f2p-5f));
	q = vf_fma(q, r, vf_set1(0x1.555492p-3f));
	return vf_fma(q, r, vf_set1(0x1.fffffcp-2f));
}

ISK_INLINE vf isk_exp_small(vf r)
{
	vf one = vf_set1(1);

	return vf_fma(vf_fma(isk_exp_tail(r), r, one), r, one);
}

/* a * exp(r), with one rounding less than the product. */
ISK_INLINE vf isk_exp_times(vf a, vf r)
{
	return vf_fma(vf_fma(isk_exp_tail(r), r, vf_set1(1)), a * r, a);
}

/* Outside -104..89 the result is 0 or infinite; the clamp lets a NaN through. */
ISK_INLINE vf vf_exp(vf x)
{
	vf sum, r;

	x = vf_min(vf_set1(89), vf_max(vf_set1(-104), x));
	r = isk_exp_reduce(x, VF_BIAS, &sum);
	return vf_scale2(isk_exp_small(r), sum);
}

/*
 * With t = exp(-2|x|) - 1, tanh |x| = -t / (t + 2). t = 2^n (exp(r) - 1) + 2^n - 1
 * keeps its relative accuracy down to 0. From 10 on the result is 1.
 */
ISK_INLINE vf vf_tanh(vf x)
{
	vf a = vf_min(vf_set1(10), vf_abs(x));
	vf sum, r = isk_exp_reduce(a * -2, 127, &sum);
	vf scale = vi_float(vf_bits(sum) << 23);
	vf t = vf_fma(vf_fma(isk_exp_tail(r), r * r, r), scale, scale - 1);

	return vi_float((vf_bits(t / (t + 2)) & INT32_MAX) | (vf_bits(x) & INT32_MIN));
}

/*
 * Here exp(-|x|) comes as z = p 2^n with n no higher than 0. What is divided is
 * p 2^(n + 64), which is always normal, by 2^64 or the like: so a quotient that
 * is denormal is rounded once, and tiny ones keep their relative accuracy.
 */
#define BIAS_LIFT (127 + 64)

ISK_INLINE vf isk_exp_lift(vf p, vf sum)
{
	return p * vi_float(vf_bits(sum) << 23);
}

/* 1 / (1 + z), or z / (1 + z) for negative x. */
ISK_INLINE vf vf_sigmoid(vf x)
{
	vf sum, r = isk_exp_reduce(vf_max(vf_set1(-104), vf_neg_abs(x)), BIAS_LIFT, &sum);
	vf z = isk_exp_lift(isk_exp_small(r), sum);
	vf one = vf_set1(0x1p64f);

	return vf_sel(vf_lt(x, vf_set1(0)), z, one) / (z + one);
}

/*
 * x / (1 + exp(-v)) for v of the sign of x: max(x, 0) - a z / (1 + z), where a
 * is |x| and z = exp(-|v|) is given as what isk_exp_reduce makes of -|v|.
 */
ISK_INLINE vf isk_gate(vf x, vf minus_a, vf r, vf sum)
{
	vf z = isk_exp_lift(isk_exp_small(r), sum);

	return vf_max(vf_set1(-0.0f), x) + minus_a * z / (z + 0x1p64f);
}

/* x * sigmoid(x); at -110 it has become -0. */
ISK_INLINE vf vf_silu(vf x)
{
	vf minus_a = vf_max(vf_set1(-110), vf_neg_abs(x));
	vf sum, r = isk_exp_reduce(minus_a, BIAS_LIFT, &sum);

	return isk_gate(x, minus_a, r, sum);
}

/*
 * gelu_tanh(x) = x sigmoid(v) with v = 2 sqrt(2 / pi) x (1 + 0.044715 x^2). An
 * error of v is a relative error of exp(-v), so v is computed to twice the
 * precision: with w = x^2 and u = k0 + k1 w, each as its f32 and what that
 * leaves out. k0 ends at 2^-20, so that u - k0 is exact. At -10.875 the result
 * has become -0. Constants: derive/gelu.py.
 */
ISK_INLINE vf vf_gelu_tanh(vf x)
{
	const vf k0 = vf_set1(0x1.98845p+0f), k0_low = vf_set1(0x1.9ea1b2p-23f);
	const vf k1 = vf_set1(0x1.2444f2p-4f), k1_low = vf_set1(0x1.49b16ap-29f);
	vf minus_a = vf_max(vf_set1(-10.875f), vf_neg_abs(x));
	vf w = minus_a * minus_a;
	vf w_low = vf_mul_low(minus_a, minus_a, w);
	vf u = vf_fma(k1, w, k0);
	vf u_low = vf_mul_low(k1, w, u - k0) + vf_fma(k1, w_low, vf_fma(k1_low, w, k0_low));
	vf v = minus_a * u;
	vf v_low = vf_fma(minus_a, u_low, vf_mul_low(minus_a, u, v));
	vf sum, r = isk_exp_reduce(v, BIAS_LIFT, &sum);

	return isk_gate(x, minus_a, r + v_low, sum);
}

/*
 * gelu(x) = x Phi(x) = max(x, 0) - a Phi(-a) with a = |x|, and
 * Phi(-a) = exp(-a^2 / 2) h(a). h falls from 1/2 like 1 / (a sqrt(2 pi)): a
 * quotient of polynomials of degree 4 and 5, all of whose terms are positive,
 * here in -a and s = -a^2 / 2, numerator times -a and denominator times 2^64.
 * s is computed to twice the precision, as its error becomes a relative one.
 * At -14.5 the result has become -0. Constants: derive/gelu.py.
 */
ISK_INLINE vf vf_gelu(vf x)
{
	vf minus_a = vf_max(vf_set1(-14.5f), vf_neg_abs(x));
	vf minus_half = minus_a * -0.5f;
	vf s = minus_a * minus_half;
	vf sum, r = isk_exp_reduce(s, BIAS_LIFT, &sum);
	vf even, odd, num, den;

	even = vf_fma(vf_fma(vf_set1(0x1.8e515p-6f), s, vf_set1(-0x1.1e84b6p-1f)), s, vf_set1(0x1.9p-1f));
	odd = vf_fma(vf_set1(-0x1.f59816p-3f), s, vf_set1(0x1.5a4efap+0f));
	num = vf_fma(even, minus_a, odd * s);
	even = vf_fma(vf_fma(vf_set1(0x1.3a5a08p+63f), s, vf_set1(-0x1.da388p+65f)), s, vf_set1(0x1.9p+64f));
	odd = vf_fma(vf_fma(vf_set1(-0x1.f335b4p+59f), s, vf_set1(0x1.6ec2b4p+64f)), s, vf_set1(-0x1.4cbb2ep+65f));
	den = vf_fma(odd, minus_a, even);
	r += vf_mul_low(minus_a, minus_half, s);
	return vf_max(vf_set1(-0.0f), x) + isk_exp_lift(isk_exp_times(num, r), sum) / den;
}

#endif
