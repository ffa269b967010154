/* SPDX-License-Identifier: MIT */
/*
 * exp and related functions of one vector, for the maps and for steps of other kernels
 * (post-operations, softmax). Every lane takes the same operations in the same order at
 * every ISA. The worst errors are in the files of the maps.
 *
 * exp(x) = 2^n * exp(r) with n = round(x / ln 2). Functions that vanish on one side are
 * computed from exp of a negative number and apply 2^n last, so that their relative error
 * holds down to the smallest denormal.
 */
#ifndef ISK_VMATH_H
#define ISK_VMATH_H

#include "vec.h"

/* max(x, 0). The operand order keeps NaNs, but -0 too: adding 0 makes that +0. */
ISK_INLINE vf vf_relu(vf x)
{
	return vf_max(vf_set1(0), x) + 0;
}

ISK_INLINE vd vd_relu(vd x)
{
	return vd_max(vd_set1(0), x) + 0;
}

#define v_relu(x) ISK_EITHER(x, relu)(x)

/* Constants of exp: ../elementwise/derive/exp.py. n * LN2_HIGH is exact. */
#define LN2_HIGH 0x1.62e4p-1f
#define LN2_LOW  0x1.7f7d1cp-20f

/* Returns n; *sum is n + VF_ROUND(bias). */
ISK_INLINE vf isk_exp_n(vf x, int bias, vf *sum)
{
	*sum = vf_fma(x, vf_set1(0x1.715476p+0f), vf_set1(VF_ROUND(bias)));
	return *sum - VF_ROUND(bias);
}

/* r = x - n ln 2; with low, r = x + low - n ln 2. */
ISK_INLINE vf isk_exp_r(vf x, vf n)
{
	return vf_fnma(n, vf_set1(LN2_LOW), vf_fnma(n, vf_set1(LN2_HIGH), x));
}

ISK_INLINE vf isk_exp_r_low(vf x, vf low, vf n)
{
	return vf_fnma(n, vf_set1(LN2_HIGH), x) + vf_fnma(n, vf_set1(LN2_LOW), low);
}

/*
 * exp(r) - 1 for |r| <= ln(2) / 2: r + r^2 q(r), q of degree 4. q is evaluated in pairs,
 * since the length of its chain limits the speed of short kernels.
 */
ISK_INLINE vf isk_expm1_small(vf r)
{
	vf r2 = r * r;
	vf low = vf_fma(vf_set1(0x1.555492p-3f), r, vf_set1(0x1.fffffcp-2f));
	vf high = vf_fma(vf_set1(0x1.123a2p-7f), r, vf_set1(0x1.5558f2p-5f));
	vf q = vf_fma(vf_fma(vf_set1(0x1.6a23dcp-10f), r2, high), r2, low);

	return vf_fma(q, r2, r);
}

/*
 * tanh |x| = (1 - z) / (1 + z) with z = exp(-2|x|) = 2^n (1 + e), e = exp(r) - 1.
 * Both are computed as 2^n e + (2^n -+ 1), whose second term is exact wherever the first
 * one counts, so that both round once and 1 - z keeps its relative accuracy down to 0. If n
 * is large, an error of r does not matter, so that with fused multiply-add one step of
 * reduction is enough. From 10 on the result is 1.
 */
ISK_INLINE vf vf_tanh(vf x)
{
	vf v = vf_max(vf_set1(-20), vf_neg_abs(x + x));
	vf sum, n = isk_exp_n(v, 127, &sum);
	vf e = isk_expm1_small(ISK_FMA ? vf_fnma(n, vf_set1(0x1.62e43p-1f), v) : isk_exp_r(v, n));
	vf scale = vi_float(vf_bits(sum) << 23);
	vf t = vf_fma(e, scale, scale - 1) / vf_fma(e, scale, scale + 1);

	return vf_copysign(t, x);
}

/*
 * The functions below reduce to eighths instead: v = n ln 2 + r with n in eighths, and exp(v) = 2^n (1 + r q(r)), where a
 * table of 8 has the powers of 2^(1/8). q is short because its error counts relative to 1, not to r as above. Constants:
 * exp.py and powers.sollya in ../elementwise/derive.
 */
static const float isk_eighth_powers[8] = {
	1, 0x1.172b84p+0f, 0x1.306fep+0f, 0x1.4bfdaep+0f, 0x1.6a09e6p+0f, 0x1.8ace54p+0f, 0x1.ae89fap+0f, 0x1.d5818ep+0f,
};

/*
 * Numerator and denominator of x / (1 + exp(v)) may both be multiplied by a constant, UNIT. With this UNIT, its products
 * with the powers of the table are within 2^-26.5 (relative) of f32 numbers, and for small exp(v) the denominator is not
 * just above a power of 2, where f32 has its largest relative error: silu errs by 2.9 ulp instead of 3.9. The bits of entry
 * i are less i 2^20, because isk_eighths_scale() adds n 2^23, including its eighths, to them.
 */
#define UNIT 0x1.b7da42p+0f

static const float isk_eighth_scales[8] = {
	UNIT, 0x1.bfa9a2p+0f, 0x1.c589b4p+0f, 0x1.bd3588p+0f, 0x1.b705d2p+0f, 0x1.b32c36p+0f, 0x1.b1ded6p+0f, 0x1.b358bap+0f,
};

/* Returns n; *sum is n + VF_ROUND8(bias). */
ISK_INLINE vf isk_eighths(vf v, int bias, vf *sum)
{
	*sum = vf_fma(v, vf_set1(0x1.715476p+0f), vf_set1(VF_ROUND8(bias)));
	return *sum - VF_ROUND8(bias);
}

/* r = v - n ln 2; with low, r = v + low - n ln 2. n times the high part of ln 2 is exact. */
ISK_INLINE vf isk_eighths_r(vf v, vf n)
{
	return vf_fnma(n, vf_set1(0x1.0bfbe8p-15f), vf_fnma(n, vf_set1(0x1.62ep-1f), v));
}

ISK_INLINE vf isk_eighths_r_low(vf v, vf low, vf n)
{
	return vf_fnma(n, vf_set1(0x1.62ep-1f), v) + vf_fnma(n, vf_set1(0x1.0bfbe8p-15f), low);
}

/* UNIT * 2^(n + bias), with the bias of sum; it must be a normal number. */
ISK_INLINE vf isk_eighths_scale(vf sum)
{
	return vi_float(vf_bits(vf_lookup8(isk_eighth_scales, vf_bits(sum))) + (vf_bits(sum) << 20));
}

ISK_INLINE vf isk_q_of_exp(vf r)
{
	return vf_fma(vf_fma(vf_set1(0x1.55565cp-3f), r, vf_set1(0x1.000876p-1f)), r, vf_set1(1));
}

/* UNIT * exp(v) * 2^bias, with the bias of sum; it must be a normal number. */
ISK_INLINE vf isk_eighths_exp(vf r, vf sum)
{
	vf scale = isk_eighths_scale(sum);

	return vf_fma(scale * r, isk_q_of_exp(r), scale);
}

/* Outside -104..89 the result is 0 or infinite. */
ISK_INLINE vf vf_exp(vf x)
{
	const vf v = vf_scalable(x, -104, 89);
	vf sum, n = isk_eighths(v, VF_BIAS, &sum);
	vf r = vf_rest(isk_eighths_r(v, n), 0.25f);
	vf power = vf_lookup8(isk_eighth_powers, vf_bits(sum));

	return vf_scale8(vf_fma(power * r, isk_q_of_exp(r), power), sum);
}

/*
 * The functions below multiply exp(-|v|) by LIFT, which makes it normal, and divide by a number that has this factor, too:
 * so a denormal quotient is rounded once, and tiny ones keep their relative accuracy.
 */
#define LIFT 0x1p64f

/* 1 / (1 + exp(-x)) with numerator and denominator times UNIT / LIFT; from 40 on it is 1. x = -n ln 2 - r. */
ISK_INLINE vf vf_sigmoid(vf x)
{
	vf v = vf_min(vf_set1(40), vf_max(vf_set1(-104), x));
	vf sum = vf_fma(v, vf_set1(-0x1.715476p+0f), vf_set1(VF_ROUND8(-64))), n = sum - VF_ROUND8(-64);
	vf minus_r = vf_fma(n, vf_set1(0x1.0bfbe8p-15f), vf_fma(n, vf_set1(0x1.62ep-1f), v));
	vf scale = isk_eighths_scale(sum);
	vf q = vf_fma(vf_fma(vf_set1(0x1.55565cp-3f), minus_r, vf_set1(-0x1.000876p-1f)), minus_r, vf_set1(1));

	return UNIT / LIFT / vf_fnma(scale * minus_r, q, scale + UNIT / LIFT);
}

/*
 * x / (1 + exp(-v)) for v of the sign of x: max(x, 0) - a z / (1 + z) with
 * a = |x|. The argument z is exp(-|v|) times UNIT * LIFT.
 */
ISK_INLINE vf isk_gate(vf x, vf minus_a, vf z)
{
	return vf_max(vf_set1(-0.0f), x) + minus_a * z / (z + UNIT * LIFT);
}

/* x * sigmoid(x); from -110 down it is -0. */
ISK_INLINE vf vf_silu(vf x)
{
	vf minus_a = vf_max(vf_set1(-110), vf_neg_abs(x));
	vf sum, n = isk_eighths(minus_a, 64, &sum);

	return isk_gate(x, minus_a, isk_eighths_exp(isk_eighths_r(minus_a, n), sum));
}

/*
 * gelu_tanh(x) = x sigmoid(v) with v = 2 sqrt(2 / pi) x (1 + 0.044715 x^2). Since an error
 * of v is a relative error of exp(-v), v is computed to twice the precision: with w = x^2
 * and u = k0 + k1 w, each as an f32 and its error. k0 ends at 2^-20, so that u - k0 is
 * exact. From -10.875 down the result is -0. Constants: ../elementwise/derive/gelu.py.
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
	vf sum, n = isk_eighths(v, 64, &sum);

	return isk_gate(x, minus_a, isk_eighths_exp(isk_eighths_r_low(v, v_low, n), sum));
}

/*
 * gelu(x) = x Phi(x) = max(x, 0) - a Phi(-a) with a = |x|, and Phi(-a) = exp(-a^2 / 2) h(a). h(a) = 1 / (k a + P(a) / Q(a))
 * falls from 1/2 like 1 / (a sqrt(2 pi)), so that errors of Q count only if k a is small. P and Q are polynomials of degree
 * 4 with positive terms, here in -a, and k and P are times 2^64. s = -a^2 / 2 is computed to twice the precision, since its
 * error becomes a relative one. From -14.5 down the result is -0. exp uses whole powers of 2, not eighths, because eighths
 * would add a rounding and bring the error near 4 ulp. Constants: ../elementwise/derive/gelu.py.
 */
ISK_INLINE vf vf_gelu(vf x)
{
	vf minus_a = vf_max(vf_set1(-14.5f), vf_neg_abs(x));
	vf half_a = minus_a * -0.5f;
	vf s = minus_a * half_a;
	vf s_low = vf_mul_low(minus_a, half_a, s);
	vf sum, n = isk_exp_n(s, 127 + 64, &sum);
	vf e = isk_expm1_small(isk_exp_r_low(s, s_low, n));
	vf num, den;

	num = vf_fma(vf_set1(0x1.8e5152p-7f), minus_a, vf_set1(-0x1.f59814p-4f));
	num = vf_fma(num, minus_a, vf_set1(0x1.1e84b8p-1f));
	num = vf_fma(num, minus_a, vf_set1(-0x1.5a4ef8p+0f));
	num = vf_fma(num, minus_a, vf_set1(0x1.9p+0f));
	num *= minus_a;
	den = vf_fma(vf_set1(0x1.d8e7bep+48f), minus_a, vf_set1(-0x1.eac494p+58f));
	den = vf_fma(den, minus_a, vf_set1(0x1.418cf8p+62f));
	den = vf_fma(den, minus_a, vf_set1(-0x1.4849cp+64f));
	den = vf_fma(den, minus_a, vf_set1(0x1.9p+65f));
	den = vf_fnma(num, vf_set1(0x1.40d7fcp+65f), den);
	num *= vi_float(vf_bits(sum) << 23);
	return vf_max(vf_set1(-0.0f), x) + vf_fma(num, e, num) / den;
}

#endif
