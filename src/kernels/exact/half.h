/* SPDX-License-Identifier: MIT */
/*
 * Functions of f16 in f32, on ISAs with fused multiply-add: the forms of the f32 kernels with shorter polynomials. An f32
 * has 13 more bits than an f16, so that few results are next to a tie of f16. With these constants
 * every input has the correctly rounded result, except those in arrays of struct hard: derive/half.c tries all inputs.
 */
#ifndef ISK_HALF_H
#define ISK_HALF_H

#include "cbrt_f32.h"
#include "log_lanes.h"
#include "sinh_f32.h"
#include "vmath.h"
#include "wide.h"

static const float half_ln_of_inverse[8] = {
	-0x1.26c50ep-2f, -0x1.a9945cp-3f, -0x1.11618p-3f, -0x1.0787f2p-4f,
	0, 0x1.e2cffep-4f, 0x1.c8b07cp-3f, 0x1.45ee9ap-2f,
};
static const float half_log2_of_inverse[8] = {
	-0x1.a97fa2p-2f, -0x1.32866ap-2f, -0x1.8b9fd8p-3f, -0x1.7c995cp-4f,
	0, 0x1.5cc0fp-3f, 0x1.4998e4p-2f, 0x1.d688bcp-2f,
};
/* From derive/half.c with the seed 88172645463325251. */
static const float half_log10_of_inverse[8] = {
	-0x1.ff5c7ep-4f, -0x1.70fb82p-4f, -0x1.db2d8ep-5f, -0x1.cd5f82p-6f,
	0, 0x1.a24228p-5f, 0x1.8cf6cp-4f, 0x1.1b411ep-3f,
};
static const struct hard hard_half_log10[] = {{0x42fc2000, 0x1.0ccp+1f}};

/* Logarithms of positive numbers */
ISK_INLINE vf half_ln(vf x)
{
	const struct vf_reduced l = vf_reduced(x, vf_ln_inverse, half_ln_of_inverse);
	const vf p = vf_fma(vf_set1(0x1.5232acp-2f), l.r, vf_set1(-0x1.0025p-1f));

	return vf_fma(l.e, vf_set1(0x1.62e43p-1f), l.t) + vf_fma(p, l.r * l.r, l.r);
}

ISK_INLINE vf half_log2(vf x)
{
	const struct vf_reduced l = vf_reduced(x, vf_log2_inverse, half_log2_of_inverse);
	const vf p = vf_fma(vf_set1(0x1.ecc65cp-2f), l.r, vf_set1(-0x1.719ba8p-1f));

	return vf_fma(vf_fma(p, l.r, vf_set1(0x1.715476p+0f)), l.r, l.e + l.t);
}

ISK_INLINE vf half_log10(vf x)
{
	const struct vf_reduced l = vf_reduced(x, vf_log10_inverse, half_log10_of_inverse);
	const vf p = vf_fma(vf_set1(0x1.30e86ap-3f), l.r, vf_set1(-0x1.bd178ep-3f));
	const vf y = vf_fma(vf_fma(p, l.r, vf_set1(0x1.bcb6e2p-2f)), l.r, vf_fma(l.e, vf_set1(0x1.344136p-2f), l.t));

	return BUT_FOR(hard_half_log10, x, y);
}

static const float half_exp_powers[8] = {
	0x1.fffffep-1f, 0x1.172b88p+0f, 0x1.306fe2p+0f, 0x1.4bfdbp+0f, 0x1.6a09e4p+0f, 0x1.8ace54p+0f, 0x1.ae89fap+0f,
	0x1.d5818ep+0f,
};
static const float half_exp2_powers[8] = {
	0x1.fffffep-1f, 0x1.172b88p+0f, 0x1.306fdcp+0f, 0x1.4bfddap+0f, 0x1.6a09bcp+0f, 0x1.8aceap+0f, 0x1.ae8a02p+0f,
	0x1.d5818cp+0f,
};
static const struct hard hard_half_exp2[] = {{0x3a38a000, 0x1.004p+0f}};
static const struct hard hard_half_expm1[] = {{0x3a350000, 0x1.6a4p-11f}};

/* Outside the bounds of the clamps, results are 0, infinite or, for expm1, -1. */
ISK_INLINE vf half_exp(vf x)
{
	const vf v = vf_scalable(x, -18, 12);
	vf sum;
	const vf n = isk_eighths(v, VF_BIAS, &sum), r = vf_rest(isk_eighths_r(v, n), 0.25f);
	const vf power = vf_lookup8(half_exp_powers, vf_bits(sum));
	const vf q = vf_fma(vf_fma(vf_set1(0x1.5540e6p-3f), r, vf_set1(0x1.0008d6p-1f)), r, vf_set1(1));

	return vf_scale8(vf_fma(power * r, q, power), sum);
}

/* Subtracts from v its nearest multiple of 1/8, n. An infinite v gives 0 on ISAs whose vf_scalable() does not clamp. */
ISK_INLINE vf past_eighths(vf v, vf n)
{
#ifdef __AVX512F__
	(void)n;
	return _mm512_reduce_ps(v, 3 << 4 | _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
	return vf_rest(v - n, 0.25f);
#endif
}

ISK_INLINE vf half_exp2(vf x)
{
	const vf v = vf_scalable(x, -26, 17), sum = v + VF_ROUND8(VF_BIAS);
	const vf r = past_eighths(v, sum - VF_ROUND8(VF_BIAS)), power = vf_lookup8(half_exp2_powers, vf_bits(sum));
	const vf q = vf_fma(vf_fma(vf_set1(0x1.dec518p-5f), r, vf_set1(0x1.ec234p-3f)), r, vf_set1(0x1.62e326p-1f));

	return BUT_FOR(hard_half_exp2, x, vf_scale8(vf_fma(power * r, q, power), sum));
}

ISK_INLINE vf half_expm1(vf x)
{
	const vf v = vf_min(vf_set1(12), vf_max(vf_set1(-18), x));
	vf sum;
	const vf n = isk_exp_n(v, VF_BIAS, &sum), r = isk_exp_r(v, n), w = r * r;
	const vf low = vf_fma(vf_set1(0x1.555b5ep-3f), r, vf_set1(0x1.ffffp-2f));
	const vf q = vf_fma(vf_fma(vf_set1(0x1.0e1b58p-7f), r, vf_set1(0x1.56bf5cp-5f)), w, low);
	const vf inverse = vi_float(vf_bits(VF_ROUND(127) - n) << 23);

	return vf_copysign(BUT_FOR(hard_half_expm1, x, vf_scale2(vf_fma(q, w, r) + (1 - inverse), sum)), x);
}

static const struct hard hard_half_cosh[] = {{0x3d000000, 0x1.004p+0f}};

/* See sinh_f32.h. From 12 on both are infinite. */
ISK_INLINE struct terms half_terms(vf x)
{
	const vf a = vf_min(vf_set1(12), vf_abs(x));
	vf sum;
	const vf n = isk_exp_n(a, 125, &sum), r = isk_exp_r(a, n), w = r * r;
	const vi exponent = vf_bits(sum) << 23;
	const vf high = vi_float(exponent), low = vi_float((250 << 23) - exponent);
	const vf s = vf_fma(vf_fma(vf_set1(0x1.91289p-12f), w, vf_set1(0x1.0d192p-6f)), w, vf_set1(0x1.55592ap-2f));
	const vf c = vf_fma(vf_set1(0x1.574b86p-4f), w, vf_set1(0x1.fffd3ap-1f));

	return (struct terms){high, low + low, high - low, high + low, c * w, vf_fma(s, w * r, r + r)};
}

ISK_INLINE vf half_sinh(vf x)
{
	return vf_copysign(sinh_of_terms(half_terms(x)), x);
}

ISK_INLINE vf half_cosh(vf x)
{
	return BUT_FOR(hard_half_cosh, vf_abs(x), cosh_of_terms(half_terms(x)));
}

static const struct root half_root = {
	0x54a1e880, {0x1.b7737cp-2f, 0x1.d58baap-2f, 0x1.f9a64ep-2f, 0x1.1c6f2ep-1f, 0x1.555544p-1f},
};

ISK_INLINE vf half_cbrt(vf x)
{
	return vf_copysign(vf_root(vf_abs(x), &half_root), x);
}

#endif
