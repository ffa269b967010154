/* SPDX-License-Identifier: MIT */
/* Narrow elements, in memory as vectors of 128 bits, for x86 without AVX-512. */
#ifndef ISK_NARROW_H
#define ISK_NARROW_H

/* Two factors, of which the first product is exact. */
ISK_INLINE vf vf_scale2(vf v, vf sum)
{
	vi half = vf_bits(sum) >> 1;

	return v * vi_float(half << 23) * vi_float((vf_bits(sum) - half) << 23);
}

ISK_INLINE vf vf_scale8(vf v, vf sum)
{
	return vf_scale2(v, vi_float(vf_bits(sum) >> 3));
}

ISK_INLINE vf vf_scalable(vf x, float low, float high)
{
	return vf_min(vf_set1(high), vf_max(vf_set1(low), x));
}

ISK_INLINE vf vf_rest(vf r, float most)
{
	(void)most;
	return r;
}

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

ISK_INLINE vi vi_load_u16_n(const uint16_t *p, size_t n)
{
	return isk_widen_u16(isk_load_bytes(p, 2 * n));
}

ISK_INLINE vi vi_load_u16(const uint16_t *p)
{
	return vi_load_u16_n(p, VL);
}

ISK_INLINE vi vi_load_u8_n(const uint8_t *p, size_t n)
{
	return isk_widen_u8(isk_load_bytes(p, n));
}

ISK_INLINE vi vi_load_u8(const uint8_t *p)
{
	return vi_load_u8_n(p, VL);
}

ISK_INLINE vi vi_load_s8_n(const int8_t *p, size_t n)
{
	return isk_widen_s8(isk_load_bytes(p, n));
}

ISK_INLINE vi vi_load_s8(const int8_t *p)
{
	return vi_load_s8_n(p, VL);
}

ISK_INLINE void vi_store_high16_n(void *p, vi v, size_t n)
{
	isk_store_bytes(p, isk_pack_high16(v), 2 * n);
}

ISK_INLINE void vi_store_high16(void *p, vi v)
{
	vi_store_high16_n(p, v, VL);
}

ISK_INLINE void vi_store_8_n(void *p, vi v, size_t n)
{
	isk_store_bytes(p, isk_pack_8(v), n);
}

ISK_INLINE void vi_store_8(void *p, vi v)
{
	vi_store_8_n(p, v, VL);
}

ISK_INLINE vf vf_load_f16_n(const uint16_t *p, size_t n)
{
	return isk_from_f16(isk_load_bytes(p, 2 * n));
}

ISK_INLINE vf vf_load_f16(const uint16_t *p)
{
	return vf_load_f16_n(p, VL);
}

ISK_INLINE void vf_store_f16_n(uint16_t *p, vf v, size_t n)
{
	isk_store_bytes(p, isk_to_f16(v), 2 * n);
}

ISK_INLINE void vf_store_f16(uint16_t *p, vf v)
{
	vf_store_f16_n(p, v, VL);
}

#endif
