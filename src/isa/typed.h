/* SPDX-License-Identifier: MIT */
/*
 * Elements of any type in memory, as lanes: all typed loads and stores are here. The
 * type is a constant wherever these are used, so one case of each switch remains. All
 * take the first min(n, lanes of a vector) elements of p from element i on, touch no
 * others, and load 0 into the other lanes.
 *
 * vf_load_as vf_store_as(p, i, v, n, type)   f32, bf16, f16; floats of at most 8 bits, whose stores saturate;
 *                                            integers by value, which stores reduce modulo 2^8 or 2^32
 * vd_load_as vd_store_as                     f64
 * vi_load_as vi_store_as                     s8, u8, s32, s4 as 32-bit integers; loads of b8,
 *                                            b16 and b32 too, with zeros above them
 * vi_store_four_as(p, i, v, type)            four vectors of s8 or u8, saturated, or of s4, modulo 2^4
 * vf_stream_as vd_stream_as(p, i, v, type)  a whole vector of f32, bf16, f16, f64 to an address that is a multiple of
 *                                            its bytes in memory, past the caches
 * ISK_FROM(T, p, i)                          p from element i on
 *
 * For s4, i is even. If the last byte holds one element, its upper half is stored as 0.
 */
#ifndef ISK_TYPED_H
#define ISK_TYPED_H

#include "formats.h"

/* The vector whose lanes compute with a type, and its number of lanes. */
#define ISK_VECTOR(T) ISK_PASTE2(v, ISK_LANE_##T)
#define ISK_COUNT(T)  (sizeof(ISK_VECTOR(T)) / sizeof((ISK_VECTOR(T)){0}[0]))

#define ISK_FROM(T, p, i) ((p) + (isk_shares_byte(ISK_ENUM_##T) ? (i) / 2 : (i)))

/* Eight s4 fill the 32 bits of a lane, the first of them in the lowest bits. */
ISK_INLINE vi vi_load_s4(const uint8_t *p, size_t n)
{
	uint64_t bits;
	vi v;

	if (n >= VL) {
		bits = 0;
		__builtin_memcpy(&bits, p, VL / 2);
	} else {
		bits = ((vul)vi_load_bytes(p, (n + 1) / 2))[0];
	}
	v = vi_set1((int32_t)bits);
	if (VL > 8)
		v = vi_sel(vm_first(8), v, vi_set1((int32_t)(bits >> 32)));
	v = (vi)((vu)v << (28 - 4 * ((vu)vi_iota() & 7))) >> 28;
	return n < VL ? vi_sel(vm_first(n), v, vi_set1(0)) : v;
}

/* The lower halves of eight bytes, packed into 32 bits. */
ISK_INLINE uint64_t isk_lower_halves(const uint8_t *p)
{
	uint64_t bits;

	__builtin_memcpy(&bits, p, sizeof(bits));
	bits &= 0x0f0f0f0f0f0f0f0f;
	bits = (bits | bits >> 4) & 0x00ff00ff00ff00ff;
	bits = (bits | bits >> 8) & 0x0000ffff0000ffff;
	return (bits | bits >> 16) & 0xffffffff;
}

ISK_INLINE void vi_store_s4(uint8_t *p, vi v, size_t n)
{
	uint8_t bytes[VL > 8 ? VL : 8] = {0};
	uint64_t bits;

	vi_store_8(bytes, n < VL ? vi_sel(vm_first(n), v, vi_set1(0)) : v);
	bits = isk_lower_halves(bytes);
	if (VL > 8)
		bits |= isk_lower_halves(bytes + VL - 8) << 32;
	if (n >= VL)
		__builtin_memcpy(p, &bits, VL / 2);
	else
		vi_store_bytes(p, (vi)(vul){bits}, (n + 1) / 2);
}

/* Packs each pair of lanes into a byte. The bytes of two vectors alternate and are then put in order. */
ISK_INLINE void vi_store_s4_four(uint8_t *p, const vi v[4])
{
	const vi order = (vi_iota() * 2 & (VL - 1)) + vi_iota() / (VL / 2);

#pragma GCC unroll 2
	for (size_t i = 0; i < 4; i += 2) {
		const vul a = (vul)v[i], b = (vul)v[i + 1];
		const vul low = (a & 0xf) | (a >> 28 & 0xf0), high = (b & 0xf) | (b >> 28 & 0xf0);

		vi_store_8(p + i / 2 * VL, (vi)vf_lanes((vf)(low | high << 32), order));
	}
}

ISK_INLINE vi vi_load_as(const void *p, size_t i, size_t n, const enum isk_type type)
{
	const struct isk_format f = isk_format_of(type);

	switch (f.memory) {
	case 4:
		return vi_load_s4((const uint8_t *)p + i / 2, n);
	case 8:
		if (f.kind == ISK_SIGNED)
			return n >= VL ? vi_load_s8((const int8_t *)p + i) : vi_load_s8_n((const int8_t *)p + i, n);
		return n >= VL ? vi_load_u8((const uint8_t *)p + i) : vi_load_u8_n((const uint8_t *)p + i, n);
	case 16:
		return n >= VL ? vi_load_u16((const uint16_t *)p + i) : vi_load_u16_n((const uint16_t *)p + i, n);
	default:
		return n >= VL ? vi_load((const int32_t *)p + i) : vi_load_n((const int32_t *)p + i, n);
	}
}

ISK_INLINE void vi_store_as(void *p, size_t i, vi v, size_t n, const enum isk_type type)
{
	switch (isk_format_of(type).memory) {
	case 4:
		vi_store_s4((uint8_t *)p + i / 2, v, n);
		break;
	case 8:
		if (n >= VL)
			vi_store_8((uint8_t *)p + i, v);
		else
			vi_store_8_n((uint8_t *)p + i, v, n);
		break;
	default:
		if (n >= VL)
			vi_store((int32_t *)p + i, v);
		else
			vi_store_n((int32_t *)p + i, v, n);
	}
}

ISK_INLINE void vi_store_four_as(void *p, size_t i, const vi v[4], const enum isk_type type)
{
	if (isk_shares_byte(type))
		vi_store_s4_four((uint8_t *)p + i / 2, v);
	else
		vi_store_8_four((uint8_t *)p + i, v, isk_format_of(type).kind == ISK_SIGNED);
}

ISK_INLINE vf vf_load_as(const void *p, size_t i, size_t n, const enum isk_type type)
{
	switch (type) {
	case ISK_F32:
		return n >= VL ? vf_load((const float *)p + i) : vf_load_n((const float *)p + i, n);
	case ISK_BF16:
		return n >= VL ? vf_load_bf16((const uint16_t *)p + i) : vf_load_bf16_n((const uint16_t *)p + i, n);
	case ISK_F16:
		return n >= VL ? vf_load_f16((const uint16_t *)p + i) : vf_load_f16_n((const uint16_t *)p + i, n);
	default:
		if (isk_element_is_float(type))
			return vf_from_small(vi_load_as(p, i, n, type), type);
		return vi_to_vf(vi_load_as(p, i, n, type));
	}
}

ISK_INLINE void vf_store_as(void *p, size_t i, vf v, size_t n, const enum isk_type type)
{
	switch (type) {
	case ISK_F32:
		if (n >= VL)
			vf_store((float *)p + i, v);
		else
			vf_store_n((float *)p + i, v, n);
		break;
	case ISK_BF16:
		if (n >= VL)
			vf_store_bf16((uint16_t *)p + i, v);
		else
			vf_store_bf16_n((uint16_t *)p + i, v, n);
		break;
	case ISK_F16:
		if (n >= VL)
			vf_store_f16((uint16_t *)p + i, v);
		else
			vf_store_f16_n((uint16_t *)p + i, v, n);
		break;
	default:
		vi_store_as(p, i, isk_element_is_float(type) ? vf_to_small(v, type, 1) : vf_to_vi(v), n, type);
	}
}

ISK_INLINE vd vd_load_as(const void *p, size_t i, size_t n, const enum isk_type type)
{
	(void)type;
	return n >= VD ? vd_load((const double *)p + i) : vd_load_n((const double *)p + i, n);
}

ISK_INLINE void vd_store_as(void *p, size_t i, vd v, size_t n, const enum isk_type type)
{
	(void)type;
	if (n >= VD)
		vd_store((double *)p + i, v);
	else
		vd_store_n((double *)p + i, v, n);
}

/* Compilers keep `stored` in a register. */
ISK_INLINE void vf_stream_as(void *p, size_t i, vf v, const enum isk_type type)
{
	const size_t bytes = isk_element_bytes(type);
	char stored[4 * VL];

	vf_store_as(stored, 0, v, VL, type);
	vi_stream((char *)p + i * bytes, stored, bytes * VL);
}

ISK_INLINE void vd_stream_as(void *p, size_t i, vd v, const enum isk_type type)
{
	(void)type;
	vi_stream((double *)p + i, &v, sizeof(v));
}

#endif
