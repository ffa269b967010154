/* SPDX-License-Identifier: MIT */
/* s4 (two in a byte) to s8 and back, saturating. A lane holds two elements: 16 bits of it if they are s8, 8 if s4. */
#include "cvt_s4_kernels.h"

/* The lowest `bits` bits of each lane, as a signed integer. */
ISK_INLINE vi lowest(vi v, int bits)
{
	return v << (32 - bits) >> (32 - bits);
}

ISK_INLINE vi clamped(vi v)
{
	v = vi_sel(vi_gt(v, vi_set1(7)), vi_set1(7), v);
	return vi_sel(vi_gt(vi_set1(-8), v), vi_set1(-8), v);
}

void ISK_FN(cvt_s4_s8)(int8_t *out, const uint8_t *in, size_t n)
{
	size_t i = 0;

	for (; n - i >= 2 * VL; i += 2 * VL) {
		const vi pair = vi_load_u8(in + i / 2);
		const vi two = (lowest(pair, 4) & 0xff) | lowest(pair >> 4, 4) << 8;

		vi_store_high16((void *)(out + i), two << 16);
	}
	for (; i < n; i += VL)
		vi_store_as(out, i, vi_load_as(in, i, n - i, ISK_S4), n - i, ISK_S8);
}

void ISK_FN(cvt_s8_s4)(uint8_t *out, const int8_t *in, size_t n)
{
	size_t i = 0;

	for (; n - i >= 2 * VL; i += 2 * VL) {
		const vi pair = vi_load_u16((const void *)(in + i));
		const vi low = clamped(lowest(pair, 8)), high = clamped(lowest(pair >> 8, 8));

		vi_store_8(out + i / 2, (low & 0xf) | (high & 0xf) << 4);
	}
	for (; i < n; i += VL)
		vi_store_as(out, i, clamped(vi_load_as(in, i, n - i, ISK_S8)), n - i, ISK_S4);
}
