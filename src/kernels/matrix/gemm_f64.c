/* SPDX-License-Identifier: MIT */
/* f64 by f64. */
#include "gemm_f64_kernels.h"
#include "gemm.h"

/* Whether rows are read in place: by the rule of gemm_f32.c for few columns, in words. */
static int suits_place(const struct product *p)
{
	return p->m > MR / 2 && p->n <= FEW_COLUMNS;
}

ISK_INLINE void multiply_f64(struct product *p, const enum isk_type b)
{
	int in_place;

	(void)b;
	p->kind = F64;
	p->words = line_words(F64, 1);
	p->n *= element_words(F64);
	p->ldc *= element_words(F64);
	p->sums = NULL;
	in_place = suits_place(p);
	p->pack = in_place ? NULL : ISK_PART(pack_a, pack_doubles);
	p->micro = in_place ? ISK_PART(micro_f64, direct_f64) : ISK_PART(micro_f64, micro_f64);
	ISK_PART(driver, drive)(p);
}

#define GEMM_F64(kernel, A, B, C, ...) GEMM(kernel, A, B, C, multiply_f64)
ISK_EACH_gemm(GEMM_F64, )
