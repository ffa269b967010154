/* SPDX-License-Identifier: MIT */
/* f64 by f64. */
#include "gemm_f64_kernels.h"
#include "gemm.h"

ISK_INLINE void multiply_f64(struct product *p, const enum isk_type b)
{
	(void)b;
	p->kind = F64;
	p->words = 2;
	p->n *= 2;
	p->ldc *= 2;
	p->sums = NULL;
	p->pack = ISK_PART(pack_a, pack_doubles);
	p->micro = ISK_PART(micro_f64, micro_f64);
	ISK_PART(driver, drive)(p);
}

#define GEMM_F64(kernel, A, B, C, ...) GEMM(kernel, A, B, C, multiply_f64)
ISK_EACH_gemm(GEMM_F64, )
