/* SPDX-License-Identifier: MIT */
/* vf_scale2 and vf_scale8 without an instruction that scales by an exponent. */
#ifndef ISK_BY_FACTORS_H
#define ISK_BY_FACTORS_H

/* Multiplies by two powers of 2. The first product is exact. */
ISK_INLINE vf vf_scale2(vf v, vf sum)
{
	vi half = vf_bits(sum) >> 1;

	return v * vi_float(half << 23) * vi_float((vf_bits(sum) - half) << 23);
}

ISK_INLINE vf vf_scale8(vf v, vf sum)
{
	return vf_scale2(v, vi_float(vf_bits(sum) >> 3));
}

#endif
