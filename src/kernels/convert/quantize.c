/* SPDX-License-Identifier: MIT */
/* Floats to integers of 8 or 4 bits (quantize.h) and back, and s32, the sums of integer products, to 8 bits. */
#include "quantize_kernels.h"
#include "loops.h"
#include "quantize.h"

QUANTIZE(quantize, quantize(x, q), quantize_four(four, x, p, q))

#define DEQUANTIZE_STEP(m, T, F)                                               \
	{                                                                          \
		const vi x = vi_load_as(in, i, m, ISK_ENUM_##F);                       \
                                                                               \
		ISK_STORE(T, out, i, vi_to_vf(x - zero) * scale, m);                   \
	}
#define DEQUANTIZE(kernel, F, T, ...)                                          \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##F *in, size_t n, float scale, int32_t zero) \
	{                                                                          \
		ISK_LOOP(T, DEQUANTIZE_STEP, F)                                        \
	}
ISK_EACH_dequantize(DEQUANTIZE, )

#define REQUANTIZED(i, m) quantized(vi_to_vf(vi_load_as(in, i, m, ISK_S32)) * q.scale, q)
#define REQUANTIZE(kernel, F, T, ...)                                          \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##F *in, size_t n, float scale, int32_t zero) \
	{                                                                          \
		const struct quantizer q = quantizer(scale, zero, ISK_ENUM_##T);       \
		size_t i = 0;                                                          \
                                                                               \
		for (; n - i >= 4 * VL; i += 4 * VL) {                                 \
			vi four[4];                                                        \
                                                                               \
			_Pragma("GCC unroll 4")                                            \
			for (size_t v = 0; v < 4; v++)                                     \
				four[v] = REQUANTIZED(i + v * VL, VL);                         \
			vi_store_8_four(out + i, four, ISK_ENUM_##T == ISK_S8);            \
		}                                                                      \
		for (; i < n; i += VL)                                                 \
			vi_store_as(out, i, REQUANTIZED(i, n - i), n - i, ISK_ENUM_##T);   \
	}
ISK_EACH_requantize(REQUANTIZE, )
