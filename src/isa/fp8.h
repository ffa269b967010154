/* SPDX-License-Identifier: MIT */
/*
 * Floats of 8 bits in the low bytes of 32-bit lanes: e4m3, without infinities and
 * with one NaN, 0x7f; e5m2, the upper half of a binary16.
 */
#ifndef ISK_FP8_H
#define ISK_FP8_H

/* The bits of the fraction, and the excess of f32's biased exponent over that of the type. */
ISK_INLINE int fp8_fraction(const enum isk_type type)
{
	return type == ISK_E4M3 ? 3 : 2;
}

ISK_INLINE int fp8_rebias(const enum isk_type type)
{
	return type == ISK_E4M3 ? 127 - 7 : 127 - 15;
}

/* Denormals are converted as small integers. NaNs and infinities get f32's exponent of all ones. */
ISK_INLINE vf vf_from_fp8(vi v, const enum isk_type type)
{
	const int f = fp8_fraction(type), above = 23 - f;
	const vi size = v & 0x7f, normal = (size << above) + (fp8_rebias(type) << 23);
	const vf least = vf_set1(type == ISK_E4M3 ? 0x1p-9f : 0x1p-16f);
	vi bits = vi_sel(vi_gt(vi_set1(1 << f), size), vf_bits(vi_to_vf(size) * least), normal);

	if (type == ISK_E4M3)
		bits = vi_sel(vi_eq(size, vi_set1(0x7f)), vi_set1(0x7ff00000), bits);
	else
		bits = vi_sel(vi_gt(size, vi_set1(0x7b)), size << above | 0x7f800000, bits);
	if (type == ISK_E5M2)
		bits |= vi_sel(vi_gt(size, vi_set1(0x7c)), vi_set1(0x400000), vi_set1(0));
	return vi_float(bits | (v & 0x80) << 24);
}

/*
 * Rounds once, ties to even. Normal results are rounded in integers, by adding half a unit less one, and one more if the
 * kept part is odd; the carry may run into the exponent. Denormal results are rounded by a sum with the power of two whose
 * last bit is worth the least denormal. A value too large for the type becomes its greatest number if saturating is 1,
 * else infinity or, in e4m3, NaN.
 */
ISK_INLINE vi vf_to_fp8(vf x, const enum isk_type type, const int saturating)
{
	const int f = fp8_fraction(type), above = 23 - f, rebias = fp8_rebias(type);
	const vf one = vf_set1(type == ISK_E4M3 ? 0x1p14f : 0x1p7f);
	const vi most = vi_set1((type == ISK_E4M3 ? 0x7f : 0x7c) - saturating);
	const vi bits = vf_bits(x), size = bits & INT32_MAX;
	const vi normal = (size - (rebias << 23) + ((1 << (above - 1)) - 1) + (size >> above & 1)) >> above;
	const vi tiny = vf_bits(vi_float(size) + one) - vf_bits(one);
	vi v = vi_sel(vi_gt(vi_set1((rebias + 1) << 23), size), tiny, normal);

	v = vi_sel(vi_gt(v, most), most, v);
	v = vi_sel(vf_isnan(x), type == ISK_E4M3 ? vi_set1(0x7f) : (size >> above & 3) | 0x7e, v);
	return v | (vi)((vu)(bits & INT32_MIN) >> 24);
}

#endif
