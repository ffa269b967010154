/* SPDX-License-Identifier: MIT */
/*
 * bf16 by bf16. Pairs are added in the order of vdpbf16ps, which rounds once an element,
 * like a fused multiply-add (checked on 60 million random pairs on Zen 4, 32 million on
 * Emerald Rapids). Since it takes denormals for 0, it multiplies only rows of A with which
 * none can occur: see bf16_pairs.h. Other rows are widened to f32, and their denormals
 * count. AMX has an order of its own, for any number of rows, and takes denormals for 0:
 * see micro_amx.c.
 */
#include "gemm_bf16_kernels.h"
#include "amx.h"
#include "gemm.h"

ISK_INLINE void multiply_bf16(struct product *p, const enum isk_type b)
{
	struct product pairs = *p;

	(void)b;
	p->sums = pairs.sums = NULL;
	p->kind = WIDE_BF16;
	p->words = line_words(WIDE_BF16, 1);
	p->pack = ISK_PART(pack_a, pack_floats);
	p->micro = ISK_PART(micro_float, micro_bf16);
#if HAS_AMX
	pairs.kind = TILES_BF16;
	pairs.micro = ISK_FN(micro_amx_bf16);
	p = &pairs;
#elif VF_DOT_IS_FAST
	pairs.kind = PAIRS;
	pairs.pack = ISK_PART(pack_a, pack_pairs);
	pairs.micro = ISK_FN(micro_pairs);
	pairs.wide = p;
	p = &pairs;
#endif
	ISK_PART(driver, drive)(p);
}

#define GEMM_BF16(kernel, A, B, C, ...) GEMM(kernel, A, B, C, multiply_bf16)
ISK_EACH_gemm(GEMM_BF16, )
