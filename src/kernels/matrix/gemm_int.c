/* SPDX-License-Identifier: MIT */
/*
 * u8 and s8 A by s8 B. An A whose signs vi_dot does not take is packed with the other
 * signs, so that one product serves both. AMX has a product for each, which reads A in
 * place.
 */
#include "gemm_int_kernels.h"
#include "amx.h"
#include "gemm.h"

/* For up to VECTOR_ROWS rows, vectors multiply a panel line in no more time than AMX. */
#define VECTOR_ROWS 4

ISK_INLINE void multiply_int(struct product *p, const enum isk_type b)
{
	const int is_signed = p->a_type == ISK_S8;

	(void)b;
	p->a_zero = p->post->a_zero;
#if HAS_AMX
	if (p->m > VECTOR_ROWS) {
		p->kind = is_signed ? TILES_SS : TILES_US;
		p->micro = is_signed ? ISK_FN(micro_amx_ss) : ISK_FN(micro_amx_us);
		p->row_sums = ISK_FN(row_sums_amx);
		ISK_PART(driver, drive)(p);
		return;
	}
#endif
	p->kind = FOURS;
	p->words = VI_DOT_STEPS;
	p->pack = ISK_PART(micro_fours, pack_fours);
	p->micro = ISK_PART(micro_fours, micro_fours);
	p->row_sums = ISK_PART(micro_fours, row_sums_fours);
	take_as_dot_does(p, is_signed);
	ISK_PART(driver, drive)(p);
}

#define GEMM_INT(kernel, A, B, C, ...) GEMM(kernel, A, B, C, multiply_int)
ISK_EACH_gemm(GEMM_INT, )
