/* SPDX-License-Identifier: MIT */
/*
 * To and from elements of 64 bits. Two vectors of them hold as many elements as one vector of 32-bit elements.
 *
 * f64 becomes bf16 or f16 by way of f32. Rounding to nearest twice could give another result, so the first rounding
 * is to odd: it cuts off the bits that do not fit f32 and, if one of them is set, sets the last bit of the f32. That
 * bit is at least 13 places below the last bit of either type, denormals included, so that it changes the result
 * only where the f32 would otherwise be a tie. s64 becomes f32 by way of f64 in the same way.
 */
#include "cvt_wide_kernels.h"
#include "conversion.h"
#include "quantize.h"

struct wide {
	vd low, high;
};

ISK_INLINE struct wide load_wide(const void *p, size_t i, size_t n)
{
	return (struct wide){vd_load_as(p, i, n, ISK_F64), vd_load_as(p, i + VD, n > VD ? n - VD : 0, ISK_F64)};
}

ISK_INLINE void store_wide(void *p, size_t i, struct wide v, size_t n)
{
	vd_store_as(p, i, v.low, n, ISK_F64);
	if (n > VD)
		vd_store_as(p, i + VD, v.high, n - VD, ISK_F64);
}

/*
 * x rounded to odd. lost, the part of x that rounding to f32 took away, has the sign of v unless v was rounded away
 * from 0. Its scale keeps it from vanishing in f32 except where v is 0, and there 0 serves as well as 2^-149, because
 * both become 0 in bf16 and f16.
 */
ISK_INLINE vf to_odd(struct wide x)
{
	const vf v = vd_halves(x.low, x.high);
	const vf lost = vd_halves((x.low - vf_low_half(v)) * 0x1p100, (x.high - vf_high_half(v)) * 0x1p100);
	const vi down = vf_bits(v) + ((vf_bits(v) ^ vf_bits(lost)) >> 31);

	return vf_sel(vf_gt(vf_abs(lost), vf_set1(0)), vi_float(down | 1), v);
}

ISK_INLINE vd number_or_0(vd v)
{
	return vd_sel(vd_unordered(v, v), vd_set1(0), v);
}

ISK_INLINE vd clamped(vd v, double least, double most)
{
	return vd_min(vd_set1(most), vd_max(vd_set1(least), number_or_0(v)));
}

ISK_INLINE vi to_32(struct wide x, const enum isk_type to)
{
	const double least = to == ISK_S32 ? INT32_MIN : least_of_type(to);
	const double most = to == ISK_S32 ? INT32_MAX : greatest_of_type(to);

	return vd_halves_to_vi(clamped(x.low, least, most), clamped(x.high, least, most));
}

/* Above `most`, the greatest double below 2^63, the result is the greatest integer. */
ISK_INLINE vd to_64(vd v)
{
	const vd most = vd_set1(0x1.fffffffffffffp62);
	const vl fits = vd_to_vl(clamped(v, -0x1p63, 0x1.fffffffffffffp62)), greatest = (vl){0} + INT64_MAX;

	return vd_sel(vd_lt(most, v), (vd)greatest, (vd)fits);
}

/*
 * odd: integers beyond 2^53 are rounded to odd first, to 53 bits: their last 11 bits are cleared and, if one of them
 * was set, the bit above them is set.
 */
ISK_INLINE vd from_64(vl v, const int odd)
{
	const vl beyond = (vl)((vul)v + (1ull << 53) > (vul){0} + (1ull << 54));
	const vl jammed = (v & -2048) | (((v & 2047) + 2047) & 2048);

	return vl_to_vd(odd ? (beyond & jammed) | (~beyond & v) : v);
}

/* Converts the next m elements from element i on, m <= VL. */
ISK_INLINE void convert_next(void *out, const void *in, size_t i, size_t m, const enum isk_type from,
                             const enum isk_type to)
{
	struct wide x;

	if (from == ISK_F64 || from == ISK_S64) {
		x = load_wide(in, i, m);
	} else if (isk_element_is_float(from)) {
		const vf v = vf_load_as(in, i, m, from);

		x = (struct wide){vf_low_half(v), vf_high_half(v)};
	} else {
		const vi v = vi_load_as(in, i, m, from);

		x = (struct wide){vi_low_half(v), vi_high_half(v)};
	}
	if (from == ISK_S64)
		x = (struct wide){from_64((vl)x.low, to == ISK_F32), from_64((vl)x.high, to == ISK_F32)};
	if (to == ISK_F64)
		store_wide(out, i, x, m);
	else if (to == ISK_S64)
		store_wide(out, i, (struct wide){to_64(x.low), to_64(x.high)}, m);
	else if (isk_element_is_float(to))
		vf_store_as(out, i, to == ISK_F32 ? vd_halves(x.low, x.high) : to_odd(x), m, to);
	else
		vi_store_as(out, i, to_32(x, to), m, to);
}

ISK_INLINE void convert_wide(void *out, const void *in, size_t n, const enum isk_type from, const enum isk_type to)
{
	size_t i = 0;

	for (; n - i >= VL; i += VL)
		convert_next(out, in, i, VL, from, to);
	if (i < n)
		convert_next(out, in, i, n - i, from, to);
}

CVT(cvt, convert_wide)
