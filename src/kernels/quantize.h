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
	                          zero};
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
 * The same by a product with 1 / scale, for many elements: a division of a vector takes longer than all
 * else here together. x is clamped first, so the quotient is below 512; both the product and the division
 * are then within 2^-13 of the exact quotient (the inverse, at worst a denormal of 22 bits for a quotient
 * of at most 4, and at baseline the product are rounded too). They round alike unless it is as near to
 * a tie: there, one element in 4,096, the division decides, and where the product is a NaN, as it
 * is for all x but 0 if the inverse is infinite, and for infinities if a bound is.
 */
struct multiplier {
	vf inverse;
	vf low, high; /* of x */
	vf round;     /* added to the quotient, rounds it and adds zero */
};

/* The bounds of x change places where the scale is below 0. */
ISK_INLINE struct multiplier multiplier(struct quantizer q)
{
	const vf low = q.low * q.scale, high = q.high * q.scale;

	return (struct multiplier){1 / q.scale, vf_min(low, high), vf_max(low, high), vi_to_vf(q.zero) + VF_ROUND(0)};
}

/*
 * Below 0 where *y may be wrong: by how much bits of the distance from the quotient are below those of what is allowed,
 * whose order is that of the numbers, NaN the greatest. Taken together by or, four vectors need one test.
 */
ISK_INLINE vi quantize_surely(vi *y, vf x, struct multiplier p)
{
	const vf inside = vf_min(p.high, vf_max(p.low, x)), sum = vf_fma(inside, p.inverse, p.round);
	const vf off = vf_fnma(inside, p.inverse, sum - p.round);

	*y = vf_bits(sum) - vf_bits(vf_set1(VF_ROUND(0)));
	return vf_bits(vf_set1(0.5f - 0x1p-13f)) - vf_bits(vf_abs(off));
}

/* Whether all of four vectors are right. */
ISK_INLINE int are_sure(const vi sure[4])
{
	return !vm_any(vi_gt(vi_set1(0), sure[0] | sure[1] | sure[2] | sure[3]));
}

ISK_INLINE void quantize_four(vi four[4], const vf x[4], struct multiplier p, struct quantizer q)
{
	vi sure[4];

	_Pragma("GCC unroll 4")
	for (int v = 0; v < 4; v++)
		sure[v] = quantize_surely(&four[v], x[v], p);
	if (__builtin_expect(!are_sure(sure), 0)) {
		_Pragma("GCC unroll 4")
		for (int v = 0; v < 4; v++)
			four[v] = quantize(x[v], q);
	}
}

#endif
