/* SPDX-License-Identifier: MIT */
/*
 * f32 to bf16 and back, by integer operations. From avx512_bf16 up, vectors without
 * denormals are stored by an instruction. Stores to bf16 make NaNs quiet, but widening
 * keeps all bits, so that quiet() must do so for f32.
 */
#include "cvt_bf16_kernels.h"
#include "loops_streamed.h"

ISK_INLINE vf quiet(vf v)
{
	return vi_float(vi_sel(vf_isnan(v), vf_bits(v) | 0x400000, vf_bits(v)));
}

/*
 * To bf16, four vectors at a time share one test and are stored in pairs. The loop of four is marked as unlikely,
 * so that few elements take the shortest path.
 */
#define VALUE(T) (ISK_ENUM_##T == ISK_F32 ? quiet(x) : x)
#define CVT_BF16(kernel, F, T, ...)                                            \
	ISK_FAR_CVT(kernel, F, T, VALUE(T))                                        \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##F *in, size_t n)         \
	{                                                                          \
		ISK_IF_FAR(kernel, sizeof(*out), out, in, n)                                         \
		for (; __builtin_expect(n >= 4 * VL, 0) && ISK_ENUM_##T == ISK_BF16; n -= 4 * VL) { \
			vf four[4];                                                        \
                                                                               \
			_Pragma("GCC unroll 4")                                            \
			for (size_t v = 0; v < 4; v++)                                     \
				four[v] = vf_load_as(in, v * VL, VL, ISK_ENUM_##F);            \
			vf_store_bf16_four((void *)out, four);                             \
			in += 4 * VL;                                                      \
			out += 4 * VL;                                                     \
		}                                                                      \
		ISK_LOOP(f32, ISK_CVT_STEP, F, T, VALUE(T))                            \
	}
ISK_EACH_cvt(CVT_BF16, )
