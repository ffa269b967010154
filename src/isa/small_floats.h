/* SPDX-License-Identifier: MIT */
/* Floats of at most 8 bits, in the low bits of 32-bit lanes; their formats are those of types.tbl. */
#ifndef ISK_SMALL_FLOATS_H
#define ISK_SMALL_FLOATS_H

/* 2^exponent, which is a constant, because all exponents here follow from a format. */
ISK_INLINE float isk_power(const int exponent)
{
	const int32_t bits = (127 + exponent) << 23;
	float power;

	__builtin_memcpy(&power, &bits, sizeof(power));
	return power;
}

/* The excess of f32's biased exponent over that of a type. */
ISK_INLINE int isk_rebias(const struct isk_format f)
{
	return 127 - f.bias;
}

/*
 * Denormals are converted as small integers. NaNs and infinities get f32's exponent of all ones. Bits above those of the
 * type are ignored.
 */
ISK_INLINE vf vf_from_small(vi v, const enum isk_type type)
{
	const struct isk_format f = isk_format_of(type);
	const int above = 23 - f.fraction, sign = (int)isk_sign_bit(type), infinity = (int)isk_infinity_bits(type);
	const vi size = v & (sign - 1), normal = (size << above) + (isk_rebias(f) << 23);
	const vf least = vf_set1(isk_power(1 - f.bias - f.fraction));
	vi bits = vi_sel(vi_gt(vi_set1(1 << f.fraction), size), vf_bits(vi_to_vf(size) * least), normal);

	if (f.has_infinity) {
		bits = vi_sel(vi_gt(size, vi_set1(infinity - 1)), size << above | 0x7f800000, bits);
		bits |= vi_sel(vi_gt(size, vi_set1(infinity)), vi_set1(0x400000), vi_set1(0));
	} else if (f.has_nan) {
		bits = vi_sel(vi_eq(size, vi_set1(infinity)), vi_set1(0x7ff00000), bits);
	}
	return vi_float(bits | (v & sign) << (32 - f.bits));
}

/* The bits of a NaN of the type, without its sign, for lanes whose magnitude is `size`. A type without NaN has 0. */
ISK_INLINE vi isk_small_nan(vi size, const enum isk_type type)
{
	const struct isk_format f = isk_format_of(type);
	const int fraction = (1 << f.fraction) - 1, quiet = 1 << (f.fraction - 1);

	if (!f.has_infinity)
		return vi_set1(f.has_nan ? (int)isk_infinity_bits(type) : 0);
	return (size >> (23 - f.fraction) & fraction) | ((int)isk_infinity_bits(type) | quiet);
}

/*
 * Rounds once, ties to even. Normal results are rounded in integers, by adding half a unit less one, and one more if the
 * kept part is odd; the carry may run into the exponent. Denormal results are rounded by a sum with the power of two whose
 * last bit is worth the least denormal. A value too large for the type becomes its greatest number if saturating is 1,
 * else infinity or, without infinities, NaN. A NaN becomes 0 if the type has none.
 */
ISK_INLINE vi vf_to_small(vf x, const enum isk_type type, const int saturating)
{
	const struct isk_format f = isk_format_of(type);
	const int above = 23 - f.fraction, rebias = isk_rebias(f);
	const vf one = vf_set1(isk_power(24 - f.bias - f.fraction));
	const vi most = vi_set1((int)isk_infinity_bits(type) - saturating);
	const vi bits = vf_bits(f.has_nan ? x : vf_sel(vf_isnan(x), vf_set1(0), x)), size = bits & INT32_MAX;
	const vi normal = (size - (rebias << 23) + ((1 << (above - 1)) - 1) + (size >> above & 1)) >> above;
	const vi tiny = vf_bits(vi_float(size) + one) - vf_bits(one);
	vi v = vi_sel(vi_gt(vi_set1((rebias + 1) << 23), size), tiny, normal);

	v = vi_sel(vi_gt(v, most), most, v);
	if (f.has_nan)
		v = vi_sel(vf_isnan(x), isk_small_nan(size, type), v);
	return v | (vi)((vu)(bits & INT32_MIN) >> (32 - f.bits));
}

#endif
