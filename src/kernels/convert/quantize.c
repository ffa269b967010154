/* SPDX-License-Identifier: MIT */
/* Floats to integers of 8 or 4 bits (quantize.h) and back, and s32, the sums of integer products, to 8 bits. */
#include "quantize_kernels.h"
#include "quantize.h"

ISK_INLINE void quantize_array(void *out, const void *in, size_t n, float scale, int32_t zero, const enum isk_type from,
                               const enum isk_type to)
{
	quantize_elements(out, in, n, quantizer(scale, zero, to), from);
}

/* Elements i to i + n - 1, quantized. */
ISK_INLINE vi requantized(const void *in, size_t i, size_t n, struct quantizer q, const enum isk_type from)
{
	return quantized(vi_to_vf(vi_load_as(in, i, n, from)) * q.scale, q);
}

ISK_INLINE void requantize_array(void *out, const void *in, size_t n, float scale, int32_t zero, const enum isk_type from,
                                 const enum isk_type to)
{
	const struct quantizer q = quantizer(scale, zero, to);
	size_t i = 0;

	for (; n - i >= 4 * VL; i += 4 * VL) {
		vi four[4];

		_Pragma("GCC unroll 4")
		for (size_t v = 0; v < 4; v++)
			four[v] = requantized(in, i + v * VL, VL, q, from);
		vi_store_four_as(out, i, four, to);
	}
	for (; i < n; i += VL)
		vi_store_as(out, i, requantized(in, i, n - i, q, from), n - i, to);
}

#define SCALED(kernel, F, T, function)                                         \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##F *in, size_t n, float scale, int32_t zero) \
	{                                                                          \
		function(out, in, n, scale, zero, ISK_ENUM_##F, ISK_ENUM_##T);         \
	}
ISK_EACH_quantize(SCALED, quantize_array)
ISK_EACH_requantize(SCALED, requantize_array)

/*
 * The fewest integers of dequantize that take two vectors of 16 lanes a round, because a round of one has 8 instructions, as
 * many as the CPU starts in a cycle. Time (Zen 5, loaded): 4096 of s8 or u8 0.82 to 0.87, 256 and 65536 0.92 to 1.00.
 * A function of their own leaves the code for fewer integers as it is.
 */
#define MANY (16 * VL)

ISK_INLINE void dequantize_many(void *out, const void *in, size_t n, float scale, int32_t zero, const enum isk_type from,
                                const enum isk_type to)
{
	size_t i = 0;

	for (; n - i >= 2 * VL; i += 2 * VL) {
		vf_store_as(out, i, vi_to_vf(vi_load_as(in, i, VL, from) - zero) * scale, VL, to);
		vf_store_as(out, i + VL, vi_to_vf(vi_load_as(in, i + VL, VL, from) - zero) * scale, VL, to);
	}
	for (; i < n; i += VL)
		vf_store_as(out, i, vi_to_vf(vi_load_as(in, i, n - i, from) - zero) * scale, n - i, to);
}

#define DEQUANTIZE(kernel, F, T, ...)                                          \
	__attribute__((noinline)) static void many_##kernel(ISK_C_##T *out, const ISK_C_##F *in, size_t n, float scale, int32_t zero) \
	{                                                                          \
		dequantize_many(out, in, n, scale, zero, ISK_ENUM_##F, ISK_ENUM_##T);  \
	}                                                                          \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##F *in, size_t n, float scale, int32_t zero) \
	{                                                                          \
		if (VL == 16 && n >= MANY)                                             \
			many_##kernel(out, in, n, scale, zero);                            \
		else                                                                   \
			dequantize_elements(out, in, n, scale, zero, ISK_ENUM_##F, ISK_ENUM_##T); \
	}
ISK_EACH_dequantize(DEQUANTIZE, )
