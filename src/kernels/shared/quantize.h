/* SPDX-License-Identifier: MIT */
/*
 * f32 to integers of 8 or 4 bits: saturate(round(x / scale) + zero); a NaN
 * becomes zero. The quotient is clamped while it is a float, so that the conversion to an
 * integer cannot overflow. Clamping before rounding changes nothing, because the bounds
 * minus the zero point are small integers.
 */
#ifndef ISK_QUANTIZE_H
#define ISK_QUANTIZE_H

#include "vec.h"
#include "fixed_words.h"

struct quantizer {
	vf scale, low, high;
	vi zero;
	enum isk_type type;
};

/* The least and the greatest value of an integer type of at most 32 bits. */
ISK_INLINE int32_t least_of_type(const enum isk_type type)
{
	return (int32_t)isk_least_integer(type);
}

ISK_INLINE int32_t greatest_of_type(const enum isk_type type)
{
	return (int32_t)isk_greatest_integer(type);
}

/* A quantizer with a scale and a zero point for each lane. */
ISK_INLINE struct quantizer quantizer_of(vf scale, vi zero, const enum isk_type type)
{
	return (struct quantizer){scale, vi_to_vf(least_of_type(type) - zero), vi_to_vf(greatest_of_type(type) - zero),
	                          zero, type};
}

ISK_INLINE struct quantizer quantizer(float scale, int32_t zero, const enum isk_type type)
{
	return quantizer_of(vf_set1(scale), vi_set1(zero), type);
}

/* Rounds a quotient to an integer and adds zero. A NaN counts as 0 and so becomes the zero point. */
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
 * Quantizes many elements by products with numbers a little below and above 1 / scale, because a vector division takes
 * longer than all other operations here together. The inverse, its product with 1 -+ 2^-21, the quotient and, at
 * baseline, the product each have a rounding error of at most 2^-24 of their size. So the quotient lies between the two
 * products, and if both round to the same integer, so does the quotient. If they do not (one element in some 2^14), the
 * division decides. The store saturates.
 *
 * Quotients from 2^22 on, whose sums with `round` no longer represent every integer, never round alike: the products are
 * 3 apart, which is more than an ulp of the sum; beyond 2^24 they are 6 * 2^-23 of their size apart, while an ulp of the
 * sum is at most 1.75 * 2^-23 of it. For NaNs, for infinite products or inverses, and for all elements if the scale is so
 * large that its inverse is no normal number, the difference of the sums is NaN.
 */
struct multiplier {
	vf less, more;
	vf round;     /* rounds a quotient to which it is added, and adds zero */
	vf low, high; /* bounds of the sums, for a type that the store does not saturate */
};

ISK_INLINE struct multiplier multiplier(struct quantizer q)
{
	const vf inverse = vf_sel(vf_lt(vf_abs(q.scale), vf_set1(0x1p125f)), 1 / q.scale, vf_set1(__builtin_nanf("")));

	return (struct multiplier){inverse * (1 - 0x1p-21f), inverse * (1 + 0x1p-21f), vi_to_vf(q.zero) + VF_ROUND(0),
	                           vi_to_vf(q.zero) + VF_ROUND(0) + q.low, vi_to_vf(q.zero) + VF_ROUND(0) + q.high};
}

/* The integer, not yet saturated (of fewer than 8 bits: in the lowest bits, saturated). Sets bits of *doubt if the two products disagree. */
ISK_INLINE vi quantize_by_product(vi *doubt, vf x, struct multiplier p, const enum isk_type type)
{
	const vf less = vf_fma(x, p.less, p.round), more = vf_fma(x, p.more, p.round);

	*doubt |= vf_bits(more - less);
	return isk_element_width(type) < 8 ? vf_bits(vf_min(p.high, vf_max(p.low, less))) : vf_bits(less) - vf_bits(vf_set1(VF_ROUND(0)));
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

#if ISK_FIXED_WORDS

/*
 * With the functions of fixed_words.h, results of 8 bits take half to two thirds of the operations. The upper half of
 * the s32 (x / scale + zero + 1/2) 2^16 is the result before saturation. If zero is below 256 in size, only quotients below 512
 * matter. For these, x times the rounded inverse of the scale differs from the rounded quotient by less than 3 units, and the
 * sum adds at most 1/2. So the upper half may be wrong, or the quotient a tie, only if the fraction is within 4 units of 0.
 * For such an element, one in 2^13, the division decides. It also decides for other zeros, and if the product is a NaN,
 * infinite or too large for an s32, because the conversion makes these INT32_MIN.
 */
struct fixed {
	vf inverse, half;
};

ISK_INLINE struct fixed fixed(struct quantizer q)
{
	const vf zero = vi_to_vf(q.zero);
	const vm is_fit = vm_and(vf_lt(vf_abs(q.scale), vf_set1(0x1p125f)), vf_lt(vf_abs(zero), vf_set1(256)));

	return (struct fixed){vf_sel(is_fit, 0x1p16f / q.scale, vf_set1(__builtin_nanf(""))), (zero + 0.5f) * 0x1p16f + 4};
}

/* Quantizes four vectors at a time while there are four. Returns the number of elements done. */
ISK_INLINE size_t quantize_to_bytes(uint8_t *out, const void *in, size_t n, struct quantizer q, const enum isk_type from)
{
	const struct fixed p = fixed(q);
	size_t i = 0;

	for (; n - i >= 4 * VL; i += 4 * VL) {
		vf x[4];
		vi four[4], bytes;

		_Pragma("GCC unroll 4")
		for (size_t v = 0; v < 4; v++) {
			x[v] = vf_load_as(in, i + v * VL, VL, from);
			four[v] = vf_to_vi(vf_fma(x[v], p.inverse, p.half));
		}
		if (__builtin_expect(!vi_narrow_fixed(&bytes, four, q.type == ISK_S8, 8), 1)) {
			vi_store_bytes(out + i, bytes, 4 * VL);
			continue;
		}
		_Pragma("GCC unroll 4")
		for (int v = 0; v < 4; v++)
			four[v] = quantize(x[v], q);
		vi_store_four_as(out, i, four, q.type);
	}
	return i;
}

#else

ISK_INLINE size_t quantize_to_bytes(uint8_t *out, const void *in, size_t n, struct quantizer q, const enum isk_type from)
{
	(void)out, (void)in, (void)n, (void)q, (void)from;
	return 0;
}

#endif

/* Quantizes n elements. Four vectors are stored at once; calls with fewer elements take the shortest path. */
ISK_INLINE void quantize_elements(void *out, const void *in, size_t n, struct quantizer q, const enum isk_type from)
{
	size_t i = 0;

	if (__builtin_expect(n >= 4 * VL, 0) && ISK_FIXED_WORDS && isk_element_width(q.type) == 8) {
		i = quantize_to_bytes(out, in, n, q, from);
	} else if (__builtin_expect(n >= 4 * VL, 0)) {
		const struct multiplier p = multiplier(q);

		for (; n - i >= 4 * VL; i += 4 * VL) {
			vf x[4];
			vi four[4];

			_Pragma("GCC unroll 4")
			for (size_t v = 0; v < 4; v++)
				x[v] = vf_load_as(in, i + v * VL, VL, from);
			quantize_four(four, x, p, q);
			vi_store_four_as(out, i, four, q.type);
		}
	}
	for (; n - i >= VL; i += VL)
		vi_store_as(out, i, quantize(vf_load_as(in, i, VL, from), q), VL, q.type);
	if (i < n)
		vi_store_as(out, i, quantize(vf_load_as(in, i, n - i, from), q), n - i, q.type);
}

/* (x - zero) * scale for n integers. */
ISK_INLINE void dequantize_elements(void *out, const void *in, size_t n, float scale, int32_t zero, const enum isk_type from,
                                    const enum isk_type to)
{
	size_t i = 0;

	for (; n - i >= VL; i += VL)
		vf_store_as(out, i, vi_to_vf(vi_load_as(in, i, VL, from) - zero) * scale, VL, to);
	if (i < n)
		vf_store_as(out, i, vi_to_vf(vi_load_as(in, i, n - i, from) - zero) * scale, n - i, to);
}

#endif
