/* SPDX-License-Identifier: MIT */
/* Conversions between 64-bit integers and f64, for which x86 without AVX-512 has no instructions. */
#ifndef ISK_LONG_LANES_H
#define ISK_LONG_LANES_H

/*
 * Each half of 32 bits is put into the fraction of a double: the lower half into that of 2^52, the upper half, made
 * unsigned, into that of 2^84. Only the last sum rounds.
 */
ISK_INLINE vd vl_to_vd(vl v)
{
	const vl low = (v & 0xffffffff) | (vl)vd_set1(0x1p52);
	const vl high = ((vl)((vul)v >> 32) ^ 0x80000000) | (vl)vd_set1(0x1p84);

	return ((vd)high - vd_set1(0x1p84 + 0x1p63 + 0x1p52)) + (vd)low;
}

ISK_INLINE vl vd_to_vl(vd v)
{
	const vd whole = vd_nearest(v), high = vd_floor(whole * 0x1p-32), low = whole - high * 0x1p32;
	const vd by = vd_set1(0x1.8p52);

	return (((vl)(high + by) - (vl)by) << 32) + ((vl)(low + by) - (vl)by);
}

#endif
