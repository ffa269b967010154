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

/* z = exp(-|x|): 1 / (1 + z), or z / (1 + z) for negative x. */
ISK_INLINE vf vf_sigmoid(vf x)
{
	vf sum, r = isk_exp_reduce(vf_max(vf_set1(-104), -vf_abs(x)), VF_BIAS_DOWN, &sum);
	vf z = vf_scale2_down(isk_exp_small(r), sum);

	return vf_sel(vf_lt(x, vf_set1(0)), z, vf_set1(1)) / (z + 1);
}

/*
 * x / (1 + exp(-v)) for v of the sign of x: max(x, 0) - a z / (1 + z), where a
 * is |x| and z = exp(-|v|) is given as what isk_exp_reduce makes of -|v|.
 */
ISK_INLINE vf isk_gate(vf x, vf a, vf r, vf sum)
{
	vf p = isk_exp_small(r);
	vf lost = vf_scale2_down(a * p / (vf_scale2_down(p, sum) + 1), sum);

	return vf_max(vf_set1(-0.0f), x) - lost;
}

/* x * sigmoid(x); at -110 it has become -0. */
ISK_INLINE vf vf_silu(vf x)
{
	vf a = vf_min(vf_set1(110), vf_abs(x));
	vf sum, r = isk_exp_reduce(-a, VF_BIAS_DOWN, &sum);

	return isk_gate(x, a, r, sum);
}

/*
 * gelu_tanh(x) = x sigmoid(v) with v = 2 sqrt(2 / pi) x (1 + 0.044715 x^2). An
 * error of v is a relative error of exp(-v), so v is computed to twice the
 * precision: with w = a^2 and u = k0 + k1 w, each as its f32 and what that
 * leaves out. k0 ends at 2^-20, so that u - k0 is exact. At -10.875 the result
 * has become -0. Constants: derive/gelu.py.
 */
ISK_INLINE vf vf_gelu_tanh(vf x)
{
	const vf k0 = vf_set1(-0x1.98845p+0f), k0_low = vf_set1(-0x1.9ea1b2p-23f);
	const vf k1 = vf_set1(-0x1.2444f2p-4f), k1_low = vf_set1(-0x1.49b16ap-29f);
	vf a = vf_min(vf_set1(10.875f), vf_abs(x));
	vf w = a * a;
	vf w_low = vf_mul_low(a, a, w);
	vf u = vf_fma(k1, w, k0);
	vf u_low = vf_mul_low(k1, w, u - k0) + vf_fma(k1, w_low, vf_fma(k1_low, w, k0_low));
	vf v = a * u;
	vf v_low = vf_fma(a, u_low, vf_mul_low(a, u, v));
	vf sum, r = isk_exp_reduce(v, VF_BIAS_DOWN, &sum);

	return isk_gate(x, a, r + v_low, sum);
}

/*
 * gelu(x) = x Phi(x) = max(x, 0) - a Phi(-a) with a = |x|, and
 * Phi(-a) = exp(-a^2 / 2) h(a). h falls from 1/2 like 1 / (a sqrt(2 pi)): a
 * quotient of polynomials of degree 4 and 5, all of whose terms are positive.
 * a^2 is computed to twice the precision, as its error becomes a relative one.
 * At -14.5 the result has become -0. Constants: derive/gelu.py.
 */
ISK_INLINE vf vf_gelu(vf x)
{
	vf a = vf_min(vf_set1(14.5f), vf_abs(x));
	vf minus_half = a * -0.5f;
	vf s = a * minus_half;
	vf sum, r = isk_exp_reduce(s, VF_BIAS_DOWN, &sum);
	vf num, den;

	r += vf_mul_low(a, minus_half, s);
	num = vf_fma(vf_set1(0x1.fdd8bap-9f), a, vf_set1(0x1.41052ep-5f));
	num = vf_fma(num, a, vf_set1(0x1.6ebe58p-3f));
	num = vf_fma(num, a, vf_set1(0x1.bb465ep-2f));
	num = vf_fma(num, a, vf_set1(0x1p-1f));
	den = vf_fma(vf_set1(0x1.3f7e88p-7f), a, vf_set1(0x1.925ec4p-4f));
	den = vf_fma(den, a, vf_set1(0x1.d5741ap-2f));
	den = vf_fma(den, a, vf_set1(0x1.2f8052p+0f));
	den = vf_fma(den, a, vf_set1(0x1.a9e558p+0f));
	den = vf_fma(den, a, vf_set1(1));
	return vf_max(vf_set1(-0.0f), x) - vf_scale2_down(a * isk_exp_small(r) * num / den, sum);
}

#endif
