/* SPDX-License-Identifier: MIT */
/* From integers of 64 bits to f64 and back, for x86 without AVX-512, which has no instructions for it. */
#ifndef ISK_LONG_LANES_H
#define ISK_LONG_LANES_H

/*
 * In halves of 32 bits, each of which has its place in the fraction of a double: the lower one below 2^52, the upper
 * one, made unsigned, below 2^84. Only the last sum rounds.
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
