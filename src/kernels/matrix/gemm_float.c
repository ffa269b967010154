/* SPDX-License-Identifier: MIT */
/*
 * f32 A by B of any type, and f16 by f16, whose products are exact in f32: whatever
 * they are becomes f32 on its way to the registers. No row is of avx512_fp16: sums
 * are promised in f32, and its arithmetic adds in f16.
 */
#include "gemm_float_kernels.h"
#include "gemm.h"

ISK_EXTERN int ISK_FN(matmul_f32)(float *c, const float *a, const float *b, size_t m, size_t n, size_t k, size_t ldc,
                                  size_t lda, size_t ldb, unsigned transposed, const struct isk_post *post);

/*
 * A panel of f32 is a B that is not packed, with rows of 16. The tiles of matmul.c
 * may be narrow, and read A where it is: with up to half a panel they take half the
 * time and less, with more of it a tenth less if there are MANY_ROWS (with 33 a
 * quarter more), and up to SHORT_K, where a panel is at home in the first-level
 * cache, a twentieth to a third less (Zen 3); but with 1500 columns a third more,
 * for each panel visits all rows of C. Those of AVX-512 are one vector wide and
 * live by their loads: 64x64x64 takes a thirtieth less, 1024x1024x64 as much (Zen 4).
 */
#define SHORT_K   (VL == 16 ? 64 : 192)
#define SHORT_N   512
#define MANY_ROWS 64

/*
 * Rows of f32 are read where they are where few columns use them: 17x12x256 takes a
 * sixth less then, 1024x32x4096 a quarter, 128x768x768 as much, 512x3072x768 a fiftieth
 * more. Packed, they are fetched ahead, which wins if there are many: 1500x64x384 takes
 * a fifteenth less in place, 1500x128x384 a thirtieth, 1500x192x384 a twentieth more (Zen
 * 4). Up to half a tile of rows are packed in less time than it takes to begin blocks.
 */
#define FEW_COLUMNS  128
#define SOME_COLUMNS 512
#define SMALL_C      (192 << 10) /* elements */

static int suits_place(const struct product *p)
{
	return p->kind == WIDE_F32 && p->a_type == ISK_F32 && p->m > MR / 2
	       && (p->n <= FEW_COLUMNS || (p->n <= SOME_COLUMNS && p->m <= SMALL_C / p->n));
}

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
