/* SPDX-License-Identifier: MIT */
/*
 * f32 to bf16 and back, by integer operations. From avx512_bf16 up, vectors without denormals are stored by an
 * instruction.
 */
#include "cvt_bf16_kernels.h"
#include "conversion.h"

/*
 * To bf16, four vectors at a time share one test and are stored in pairs. The loop of four is marked as unlikely,
 * so that few elements take the shortest path.
 */
ISK_INLINE void convert_bf16(void *out, const void *in, size_t n, const enum isk_type from, const enum isk_type to)
{
	for (; __builtin_expect(n >= 4 * VL, 0) && to == ISK_BF16; n -= 4 * VL) {
		vf four[4];

		_Pragma("GCC unroll 4")
		for (size_t v = 0; v < 4; v++)
			four[v] = load_floats(in, v * VL, VL, from, to);
		vf_store_bf16_four(out, four);
		in = (const float *)in + 4 * VL;
		out = (uint16_t *)out + 4 * VL;
	}
	convert(out, in, n, from, to);
}

CVT_STREAMED(cvt, convert_bf16)
