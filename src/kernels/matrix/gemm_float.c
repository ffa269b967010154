/* SPDX-License-Identifier: MIT */
/*
 * f32 A by B of any type, and f16 by f16, whose products are exact in f32: whatever
 * they are becomes f32 on its way to the registers. No row is of avx512_fp16: sums
 * are promised in f32, and its arithmetic adds in f16.
 */
#include "gemm_float_kernels.h"
#include "gemm.h"

ISK_INLINE void widen(struct product *p, const enum isk_type b)
{
	p->kind = b == ISK_BF16 ? WIDE_BF16 : b == ISK_F16 ? WIDE_F16 : b == ISK_S8 ? WIDE_S8 : WIDE_F32;
	p->words = line_words(p->kind, 1);
	p->sums = NULL;
	if (p->kind == WIDE_F32 && p->a_type == ISK_F32 && has_few_columns(p->m, p->n)) {
		ISK_PART(columns, few_columns)(p, (const float *)(const void *)p->panels, PANEL);
		return;
	}
	p->pack = ISK_PART(pack_a, pack_floats);
	p->micro = b == ISK_BF16  ? ISK_PART(micro_float, micro_bf16)
	           : b == ISK_F16 ? ISK_PART(micro_float, micro_f16)
	           : b == ISK_S8  ? ISK_PART(micro_float, micro_s8)
	                          : ISK_PART(micro_float, micro_f32);
	ISK_PART(driver, drive)(p);
}

#define GEMM_FLOAT(kernel, A, B, C, ...) GEMM(kernel, A, B, C, widen)
ISK_EACH_gemm(GEMM_FLOAT, )
