/* SPDX-License-Identifier: MIT */
/*
 * f32 to 8-bit integers, one vector: saturate(round(x / scale) + zero), a NaN
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

/* The least and the greatest value of an 8-bit type. */
ISK_INLINE int32_t least_of_type(const enum isk_type type)
{
	return type == ISK_S8 ? INT8_MIN : 0;
}

ISK_INLINE int32_t greatest_of_type(const enum isk_type type)
{
	return type == ISK_S8 ? INT8_MAX : UINT8_MAX;
}

ISK_INLINE struct quantizer quantizer(float scale, int32_t zero, const enum isk_type type)
{
	const vi zeros = vi_set1(zero);

	return (struct quantizer){vf_set1(scale), vi_to_vf(least_of_type(type) - zeros),
	                          vi_to_vf(greatest_of_type(type) - zeros), zeros};
}

/* A NaN quotient becomes 0, and so the zero point. */
ISK_INLINE vi quantize(vf x, struct quantizer q)
{
	vf v = x / q.scale;

	v = vf_sel(vf_isnan(v), vf_set1(0), v);
	return vf_to_vi(vf_min(q.high, vf_max(q.low, v))) + q.zero;
}

#endif
