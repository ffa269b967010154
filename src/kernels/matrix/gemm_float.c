/* SPDX-License-Identifier: MIT */
/*
 * f32 A by B of 16 or 8 bits, and f16 by f16, whose products are exact in f32. All elements
 * become f32 on their way to the registers. No table row has avx512_fp16, because sums are
 * promised in f32 and its arithmetic adds in f16.
 */
#include "gemm_float_kernels.h"
#include "gemm.h"

ISK_INLINE void widen(struct product *p, const enum isk_type b)
{
	struct product wide;

	p->kind = b == ISK_BF16 ? WIDE_BF16 : b == ISK_F16 ? WIDE_F16 : WIDE_S8;
	p->words = line_words(p->kind, 1);
	p->sums = NULL;
	p->pack = ISK_PART(pack_a, pack_floats);
	p->micro = b == ISK_BF16  ? ISK_PART(micro_float, micro_bf16)
	           : b == ISK_F16 ? ISK_PART(micro_float, micro_f16)
	                          : ISK_PART(micro_float, micro_s8);
	if (b == ISK_S8) {
		wide = *p;
		p->kind = RAISED_S8;
		p->micro = ISK_PART(micro_float, micro_raised_s8);
		p->wide = &wide;
	}
	ISK_PART(driver, drive)(p);
}

#define GEMM_FLOAT(kernel, A, B, C, ...) GEMM(kernel, A, B, C, widen)
ISK_EACH_gemm(GEMM_FLOAT, )
