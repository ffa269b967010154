/* SPDX-License-Identifier: MIT */
/*
 * From float lanes to integers of 32 or 8 bits and to 8-bit floats (fp8.h). For 8-bit integers the lanes are clamped
 * before they are rounded. The result is the same as in the other order, because the bounds are small integers.
 */
#include "cvt_narrow_kernels.h"
#include "loops.h"
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
	return to == ISK_E4M3 || to == ISK_E5M2 ? vf_to_fp8(x, to, saturating) : to_integer(x, to);
}

#define STEP(m, lanes, F, T, saturating)                                       \
	vi_store_as(out, i, narrowed(vf_load_as(in, i, m, ISK_ENUM_##F), ISK_ENUM_##T, saturating), m, \
	            sizeof(*out) == 1 ? ISK_U8 : ISK_S32);

/* Stores bytes from four vectors at once. The loop for them is marked as unlikely, for the sake of few elements. */
#define NARROW(kernel, F, T, saturating)                                       \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##F *in, size_t n)         \
	{                                                                          \
		for (; __builtin_expect(n >= 4 * VL, 0) && sizeof(*out) == 1; n -= 4 * VL) { \
			vi four[4];                                                        \
                                                                               \
			_Pragma("GCC unroll 4")                                            \
			for (size_t v = 0; v < 4; v++)                                     \
				four[v] = narrowed(vf_load_as(in, v * VL, VL, ISK_ENUM_##F), ISK_ENUM_##T, saturating); \
			vi_store_8_four(out, four, ISK_ENUM_##T == ISK_S8);                \
			in += 4 * VL;                                                      \
			out += 4 * VL;                                                     \
		}                                                                      \
		ISK_LOOP(f32, STEP, F, T, saturating)                                  \
	}
ISK_EACH_cvt(NARROW, 1)
ISK_EACH_cvt_unsaturated(NARROW, 0)
