/* SPDX-License-Identifier: MIT */
/*
 * e^x as the sum of two f32, for ISAs with fused multiply-add: twice as many lanes as in f64. x = n log(2) / 16 + r + v
 * with an r that is exact, because its fma has a result of at most 24 bits, and a v below 2^-22. With s = 2^(n / 16), which
 * is step (1 + rest),
 *
 *     e^x = step (1 + r) + step r^2 q(r) + e^r step (rest + v)
 *
 * step (1 + r) is the sum high + low, exactly but for the last bit of low. The other terms are below 2^-12 of the result,
 * and the error of their sum, by roundings and the polynomial, is at most 0.88 2^-34 of it (found over every seventh x). Adding MARGIN
 * to the result, and subtracting it in the table, gives two sums. If both round to the same f32, so does e^x. If they do
 * not, which happens to one vector in some tens, or if x is not between -75 and 75, where low may be denormal, exact(x)
 * decides.
 *
 * Constants: derive/exp_pairs.sollya.
 */
#ifndef ISK_EXP_PAIRS_H
#define ISK_EXP_PAIRS_H

#include "vmath.h"

#define MARGIN 0x1p-34f

/* Entry j plus (16 n + j) 2^19 is the bits of 2^(n + j / 16). */
static const int32_t bits_of_step[16] = {
	0x3f800000, 0x3f7daac3, 0x3f7b95c2, 0x3f79c3d3, 0x3f7837f0, 0x3f76f532, 0x3f75fed7, 0x3f75583f,
	0x3f7504f3, 0x3f7508a4, 0x3f75672a, 0x3f76248c, 0x3f7744fd, 0x3f78ccdf, 0x3f7ac0c7, 0x3f7d257d,
};
/* The relative error of a step, less MARGIN. */
static const float rest_of_step[16] = {
	-0x1p-34f, 0x1.8d16d4p-25f, -0x1.9e0c22p-27f, 0x1.95c904p-25f,
	0x1.11d002p-25f, 0x1.368be4p-25f, -0x1.0ab55p-25f, -0x1.02d8acp-27f,
	0x1.25055cp-26f, -0x1.064b44p-25f, 0x1.63a1cap-28f, 0x1.9fb5e4p-28f,
	-0x1.fbc304p-27f, -0x1.6d61b4p-28f, -0x1.a9217cp-28f, 0x1.5d428ep-28f,
};

ISK_INLINE vf exp_by_pairs(vf x, vf exact(vf x))
{
	const vf sum = vf_fma(x, vf_set1(0x1.715476p+4f), vf_set1(VF_ROUND(0))), n = sum - VF_ROUND(0);
	const vf r = vf_fma(n, vf_set1(-0x1.62e43p-5f), x);
	const vf rest = vf_fma(n, vf_set1(0x1.05c61p-33f), vf_lookup16(rest_of_step, vf_bits(sum)));
	const vf step = vi_float(vf_bits(vf_lookup16((const float *)bits_of_step, vf_bits(sum))) + (vf_bits(sum) << 19));
	const vf high = vf_fma(step, r, step), low = vf_fma(step, r, step - high);
	const vf q = vf_fma(vf_fma(vf_set1(0x1.5556b2p-5f), r, vf_set1(0x1.55571ep-3f)), r, vf_set1(0.5f));
	const vf tail = vf_fma(step, r * r * q, low), least = vf_fma(high + tail, rest, tail);
	const vf most = vf_fma(high, vf_set1(2 * MARGIN), least);
	const vf y = high + least;
	const vm is_certain = vm_and(vf_eq(y, high + most), vf_lt(vf_abs(x), vf_set1(75)));

	return __builtin_expect(vm_all(is_certain), 1) ? y : exact(x);
}

#endif
