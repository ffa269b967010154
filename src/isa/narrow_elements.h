/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores of narrow elements, for ISAs without masked loads and stores. A vector of them has at most 128 bits in
 * memory. They are made of functions on registers that the vocabulary defines: isk_widen_u16, isk_widen_u8, isk_widen_s8,
 * isk_pack_high16, isk_pack_8, isk_from_f16 and isk_to_f16.
 */
#ifndef ISK_NARROW_ELEMENTS_H
#define ISK_NARROW_ELEMENTS_H

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
