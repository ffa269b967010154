/* SPDX-License-Identifier: MIT */
/*
 * f32 A by B of any type, and f16 by f16, whose products are exact in f32. All elements
 * become f32 on their way to the registers. No table row has avx512_fp16, because sums are
 * promised in f32 and its arithmetic adds in f16.
 */
#include "gemm_float_kernels.h"
#include "gemm.h"
#include "thresholds.h"

ISK_EXTERN int ISK_FN(matmul_f32)(float *c, const float *a, const float *b, size_t m, size_t n, size_t k, size_t ldc,
                                  size_t lda, size_t ldb, unsigned transposed, const struct isk_post *post);

/*
 * Whether rows of f32 are read in place, because few columns use them. Packed rows are fetched ahead, which wins if there
 * are many. Up to half a tile of rows are packed in less time than it takes to begin blocks.
 */
static int suits_place(const struct product *p)
{
	return p->kind == WIDE_F32 && p->a_type == ISK_F32 && p->m > MR / 2
	       && (p->n <= FEW_COLUMNS || (p->n <= SOME_COLUMNS && p->m <= SMALL_C / p->n));
}

/*
 * Whether matmul.c is faster than the driver. A panel of f32 is an unpacked B with rows of 16; the tiles of matmul.c may
 * be narrow, and read A in place: with up to half a panel of columns they take at most 0.5 of the time (Zen 3). If k is
 * short, a panel stays in the first-level cache. Tiles of AVX-512 are one vector wide and limited by their loads.
 */
static int suits_matmul(const struct product *p)
{
	const int narrow = p->n <= PANEL / 2 || (p->n < PANEL && p->m >= MANY_ROWS);

	return p->kind == WIDE_F32 && p->a_type == ISK_F32 && p->m > MR && p->n
	       && (narrow || (p->k <= SHORT_K && p->n <= SHORT_N && post_is_plain(p->post)));
}

static void by_panels(const struct product *p)
{
	struct isk_post post = *p->post;

	post.first_column = 0;
	for (size_t j = 0; j < p->n; j += PANEL) {
		const float *b = (const float *)(const void *)(p->panels + j / PANEL * p->panel);
		const size_t n = p->n - j < PANEL ? p->n - j : PANEL;

		ISK_FN(matmul_f32)((float *)p->c + j, p->a, b, p->m, n, p->k, p->ldc, p->lda, PANEL, 0,
		                   post_is_plain(&post) ? NULL : &post);
	}
}

ISK_INLINE void widen(struct product *p, const enum isk_type b)
{
	struct product wide;
	int in_place;

	p->kind = b == ISK_BF16 ? WIDE_BF16 : b == ISK_F16 ? WIDE_F16 : b == ISK_S8 ? WIDE_S8 : WIDE_F32;
	p->words = line_words(p->kind, 1);
	p->sums = NULL;
	if (suits_matmul(p)) {
		by_panels(p);
		return;
	}
	in_place = suits_place(p);
	p->pack = in_place ? NULL : ISK_PART(pack_a, pack_floats);
	p->micro = b == ISK_BF16  ? ISK_PART(micro_float, micro_bf16)
	           : b == ISK_F16 ? ISK_PART(micro_float, micro_f16)
	           : b == ISK_S8  ? ISK_PART(micro_float, micro_s8)
	           : in_place     ? ISK_PART(micro_float, direct_f32)
	                          : ISK_PART(micro_float, micro_f32);
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
