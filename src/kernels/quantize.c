/* SPDX-License-Identifier: MIT */
/* f32 to 8-bit integers, as in quantize.h, and back. */
#include "kernel.h"
#include "quantize.h"

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
