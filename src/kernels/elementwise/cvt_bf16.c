/* SPDX-License-Identifier: MIT */
/*
 * f32 to bf16 and back, in integers; from avx512_bf16 up, by the instruction
 * for it where there are no denormals. What is stored is quiet; what is widened
 * is the same bits, so a NaN that signals is made quiet first.
 */
#include "cvt_bf16_kernels.h"
#include "loops.h"

ISK_INLINE vf quiet(vf v)
{
	return vi_float(vi_sel(vf_isnan(v), vf_bits(v) | 0x400000, vf_bits(v)));
}

/* Stores to bf16 do so themselves. */
#define CVT_QUIET(kernel, F, T, value) ISK_CVT(kernel, F, T, ISK_ENUM_##T == ISK_F32 ? quiet(x) : x)
ISK_EACH_cvt(CVT_QUIET, )
