/* SPDX-License-Identifier: MIT */
/* The epilogues, by the type of C; that of bf16 is in epilogue_bf16.c. */
#include "epilogue.h"

epilogue_fn ISK_FN(epilogue_f32), ISK_FN(epilogue_f16), ISK_FN(epilogue_s8), ISK_FN(epilogue_u8), ISK_FN(epilogue_s32);
correct_fn ISK_FN(correct);

void ISK_FN(epilogue_f32)(const struct epilogue *e)
{
	put_sums(e, ISK_F32);
}

void ISK_FN(epilogue_f16)(const struct epilogue *e)
{
	put_sums(e, ISK_F16);
}

void ISK_FN(epilogue_s8)(const struct epilogue *e)
{
	put_sums(e, ISK_S8);
}

void ISK_FN(epilogue_u8)(const struct epilogue *e)
{
	put_sums(e, ISK_U8);
}

/* Stores sums of integers in C; check_post() allows no post-operations for this type. */
void ISK_FN(epilogue_s32)(const struct epilogue *e)
{
	for (size_t i = 0; i < e->rows; i++)
		for (size_t j = 0; j < e->cols; j += VL)
			vi_store_as(e->c, (e->row + i) * e->ldc + e->col + j, vf_bits(vf_load(e->t + i * e->ldt + j)),
			            e->cols - j, ISK_S32);
}

/*
 * Subtracts the terms of the zero points of B, and of the rows of A, from sums of integers
 * and converts them to f32 if as_float. row_sums has the sums over k of the rows of A.
 */
void ISK_FN(correct)(const struct epilogue *e, const struct product *p, const int32_t *row_sums, int as_float)
{
	const struct isk_post *post = e->post;
	const uint32_t all = (uint32_t)p->k * (uint32_t)p->a_zero;

	for (size_t j = 0; j < e->cols; j += VL) {
		const size_t n = e->cols - j < VL ? e->cols - j : VL, col = e->col + j;
		const vi b_zero = post->b_zeros == 0   ? vi_set1(0)
		                  : post->b_zeros == 1 ? vi_set1(*post->b_zero)
		                                       : vi_load_as(post->b_zero, col, n, ISK_S32);
		const vu b_sum = (vu)vi_load(p->sums + col);

		for (size_t i = 0; i < e->rows; i++) {
			const uint32_t zero = post->row_zero ? (uint32_t)post->row_zero[e->row + i] : 0;
			float *t = e->t + i * e->ldt + j;
			vu x = (vu)vf_bits(vf_load(t)) - zero * b_sum;

			if (post->b_zeros)
				x -= (vu)b_zero * ((uint32_t)row_sums[i] - all - (uint32_t)p->k * zero);
			vf_store(t, as_float ? vi_to_vf((vi)x) : vi_float((vi)x));
		}
	}
}
