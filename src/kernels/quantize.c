/* SPDX-License-Identifier: MIT */
/*
 * f32 to 8-bit integers and back. The quotient is clamped while it is a float:
 * the bounds, less the zero point, are small integers, so clamping before the
 * rounding changes nothing, and the conversion to an integer cannot overflow.
 */
#include "kernel.h"

struct quantizer {
	vf scale, low, high;
	vi zero;
};

static inline struct quantizer quantizer(float scale, int32_t zero, int32_t low, int32_t high)
{
	return (struct quantizer){
		vf_set1(scale), vf_set1((float)(low - zero)), vf_set1((float)(high - zero)), vi_set1(zero)};
}

/* A NaN quotient becomes 0, and so the zero point. */
ISK_INLINE vi quantize(vf x, struct quantizer q)
{
	vf v = x / q.scale;

	v = vf_sel(vf_isnan(v), vf_set1(0), v);
	return vf_to_vi(vf_min(q.high, vf_max(q.low, v))) + q.zero;
}

#define QUANTIZE(kernel, type, low, high)                                             \
	void ISK_FN(kernel)(type *y, const float *x, size_t n, float scale, int32_t zero) \
	{                                                                                 \
		const struct quantizer q = quantizer(scale, zero, low, high);                 \
		size_t i = 0;                                                                 \
                                                                                      \
		for (; n - i >= VL; i += VL)                                                  \
			vi_store_8(y + i, quantize(vf_load(x + i), q));                           \
		if (i < n)                                                                    \
			vi_store_8_n(y + i, quantize(vf_load_n(x + i, n - i), q), n - i);         \
	}

QUANTIZE(quantize_f32_s8, int8_t, INT8_MIN, INT8_MAX)
QUANTIZE(quantize_f32_u8, uint8_t, 0, UINT8_MAX)

#define DEQUANTIZE(kernel, type, load)                                                \
	void ISK_FN(kernel)(float *y, const type *x, size_t n, float scale, int32_t zero) \
	{                                                                                 \
		size_t i = 0;                                                                 \
                                                                                      \
		for (; n - i >= VL; i += VL)                                                  \
			vf_store(y + i, vi_to_vf(load(x + i) - zero) * scale);                    \
		if (i < n)                                                                    \
			vf_store_n(y + i, vi_to_vf(load##_n(x + i, n - i) - zero) * scale, n - i); \
	}

DEQUANTIZE(dequantize_s8_f32, int8_t, vi_load_s8)
DEQUANTIZE(dequantize_u8_f32, uint8_t, vi_load_u8)
