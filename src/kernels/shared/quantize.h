/* SPDX-License-Identifier: MIT */
/*
 * f32 to integers of 8 or 4 bits, one vector: saturate(round(x / scale) + zero), a NaN
 * giving zero. The quotient is clamped while it is a float: the bounds, less the
 * zero point, are small integers, so clamping before the rounding changes
 * nothing, and the conversion to an integer cannot overflow.
 */
#ifndef ISK_QUANTIZE_H
#define ISK_QUANTIZE_H

#include "vec.h"

struct quantizer {
	vf scale, low, high;
	vi zero;
	enum isk_type type;
};

/* The least and the greatest value of such a type. */
ISK_INLINE int32_t least_of_type(const enum isk_type type)
{
	return type == ISK_S8 ? INT8_MIN : type == ISK_S4 ? -8 : 0;
}

ISK_INLINE int32_t greatest_of_type(const enum isk_type type)
{
	return type == ISK_S8 ? INT8_MAX : type == ISK_S4 ? 7 : UINT8_MAX;
}

/* Of each lane its own. */
ISK_INLINE struct quantizer quantizer_of(vf scale, vi zero, const enum isk_type type)
{
	return (struct quantizer){scale, vi_to_vf(least_of_type(type) - zero), vi_to_vf(greatest_of_type(type) - zero),
	                          zero, type};
}

ISK_INLINE struct quantizer quantizer(float scale, int32_t zero, const enum isk_type type)
{
	return quantizer_of(vf_set1(scale), vi_set1(zero), type);
}

/* A quotient to an integer, and zero added; a NaN becomes 0, and so the zero point. */
ISK_INLINE vi quantized(vf v, struct quantizer q)
{
	v = vf_sel(vf_isnan(v), vf_set1(0), v);
	return vf_to_vi(vf_min(q.high, vf_max(q.low, v))) + q.zero;
}

ISK_INLINE vi quantize(vf x, struct quantizer q)
{
	return quantized(x / q.scale, q);
}

/*
 * The same by products with numbers a little below and above 1 / scale, for many elements: a division of a vector takes
 * longer than all else here together. The inverse, its product with 1 -+ 2^-21, the division that counts and at
 * baseline the product are each rounded by 2^-24 of themselves at most, so the quotient lies between the products, and
 * where both round alike, so does it; that it saturates is left to the store. Where they do not, one element in some
 * 2^14, the division decides. Quotients from 2^22 on, whose sums are no integers of 1 more, never round alike: there the
 * products are 3 apart, more than an ulp of the sum, and 6 of 2^-23 of themselves beyond 2^24, where that is 1.75 of
 * them at most. For NaNs, where products or the inverse are infinite, and for all if the scale is so large that its
 * inverse is no normal number, the difference of the sums is no number.
 */
struct multiplier {
	vf less, more;
	vf round;     /* added to the quotient, rounds it and adds zero */
	vf low, high; /* of sums, for what the store does not saturate */
};

ISK_INLINE struct multiplier multiplier(struct quantizer q)
{
	const vf inverse = vf_sel(vf_lt(vf_abs(q.scale), vf_set1(0x1p125f)), 1 / q.scale, vf_set1(__builtin_nanf("")));

	return (struct multiplier){inverse * (1 - 0x1p-21f), inverse * (1 + 0x1p-21f), vi_to_vf(q.zero) + VF_ROUND(0),
	                           vi_to_vf(q.zero) + VF_ROUND(0) + q.low, vi_to_vf(q.zero) + VF_ROUND(0) + q.high};
}

/* An integer that is to be saturated, for s4 one whose lowest 4 bits count; else there is doubt, which has a bit set. */
ISK_INLINE vi quantize_by_product(vi *doubt, vf x, struct multiplier p, const enum isk_type type)
{
	const vf less = vf_fma(x, p.less, p.round), more = vf_fma(x, p.more, p.round);

	*doubt |= vf_bits(more - less);
	return type == ISK_S4 ? vf_bits(vf_min(p.high, vf_max(p.low, less))) : vf_bits(less) - vf_bits(vf_set1(VF_ROUND(0)));
}

ISK_INLINE int is_doubtful(vi doubt)
{
	return vm_any(vm_not(vi_eq(doubt, vi_set1(0))));
}

ISK_INLINE void quantize_four(vi four[4], const vf x[4], struct multiplier p, struct quantizer q)
{
	vi doubt = vi_set1(0);

	_Pragma("GCC unroll 4")
	for (int v = 0; v < 4; v++)
		four[v] = quantize_by_product(&doubt, x[v], p, q.type);
	if (__builtin_expect(is_doubtful(doubt), 0)) {
		_Pragma("GCC unroll 4")
		for (int v = 0; v < 4; v++)
			four[v] = quantize(x[v], q);
	}
}

#endif
