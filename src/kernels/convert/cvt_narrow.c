/* SPDX-License-Identifier: MIT */
/*
 * From float lanes to integers of 32 or 8 bits and to floats of at most 8 bits. For 8-bit integers the lanes are clamped
 * before they are rounded. The result is the same as in the other order, because the bounds are small integers.
 */
#include "cvt_narrow_kernels.h"
#include "conversion.h"
#include "quantize.h"

ISK_INLINE vi to_integer(vf x, const enum isk_type to)
{
	const vf v = vf_sel(vf_isnan(x), vf_set1(0), x);

	if (to == ISK_S32)
		return vi_sel(vf_ge(v, vf_set1(0x1p31f)), vi_set1(INT32_MAX), vf_to_vi(v));
	return vf_to_vi(vf_min(vf_set1((float)greatest_of_type(to)), vf_max(vf_set1((float)least_of_type(to)), v)));
}

ISK_INLINE vi narrowed(vf x, const enum isk_type to, const int saturating)
{
	return isk_element_is_float(to) ? vf_to_small(x, to, saturating) : to_integer(x, to);
}

/* Stores bytes from four vectors at once. The loop for them is marked as unlikely, for the sake of few elements. */
ISK_INLINE void narrow(void *out, const void *in, size_t n, const enum isk_type from, const enum isk_type to,
                       const int saturating)
{
	const enum isk_type stored = isk_element_bytes(to) == 1 ? ISK_U8 : ISK_S32;
	size_t i = 0;

	for (; __builtin_expect(n - i >= 4 * VL, 0) && stored == ISK_U8; i += 4 * VL) {
		vi four[4];

		_Pragma("GCC unroll 4")
		for (size_t v = 0; v < 4; v++)
			four[v] = narrowed(vf_load_as(in, i + v * VL, VL, from), to, saturating);
		vi_store_8_four((uint8_t *)out + i, four, to == ISK_S8);
	}
	for (; n - i >= VL; i += VL)
		vi_store_as(out, i, narrowed(vf_load_as(in, i, VL, from), to, saturating), VL, stored);
	if (i < n)
		vi_store_as(out, i, narrowed(vf_load_as(in, i, n - i, from), to, saturating), n - i, stored);
}

ISK_INLINE void narrow_saturated(void *out, const void *in, size_t n, const enum isk_type from, const enum isk_type to)
{
	narrow(out, in, n, from, to, 1);
}

ISK_INLINE void narrow_unsaturated(void *out, const void *in, size_t n, const enum isk_type from, const enum isk_type to)
{
	narrow(out, in, n, from, to, 0);
}

CVT(cvt, narrow_saturated)
CVT(cvt_unsaturated, narrow_unsaturated)
