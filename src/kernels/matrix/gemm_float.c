/* SPDX-License-Identifier: MIT */
/*
 * f32 A by B of any type, and f16 by f16, whose products are exact in f32. All elements
 * become f32 on their way to the registers. No table row has avx512_fp16, because sums are
 * promised in f32 and its arithmetic adds in f16.
 */
#include "gemm_float_kernels.h"
#include "gemm.h"

ISK_EXTERN int ISK_FN(matmul_f32)(float *c, const float *a, const float *b, size_t m, size_t n, size_t k, size_t ldc,
                                  size_t lda, size_t ldb, unsigned transposed, const struct isk_post *post);

/*
 * Products for which matmul.c is faster than the driver. A panel of f32 is an unpacked B
 * with rows of 16; the tiles of matmul.c may be narrow, and read A in place. Time relative
 * to the driver (Zen 3): at most 0.5 with up to half a panel of columns; 0.9 with more of a
 * panel and MANY_ROWS rows (1.25 with 33 rows); 0.67 to 0.95 with k up to SHORT_K, because a
 * panel stays in the first-level cache; but 1.33 with 1500 columns, because each panel visits
 * all rows of C. Tiles of AVX-512 are one vector wide and limited by their loads: 64x64x64
 * 0.97, 1024x1024x64 1.00 (Zen 4).
 */
#define SHORT_K   (VL == 16 ? 64 : 192)
#define SHORT_N   512
#define MANY_ROWS 64

/*
 * Rows of f32 are read in place if few columns use them. Time relative to packed rows (Zen
 * 4): 17x12x256 0.83, 1024x32x4096 0.75, 128x768x768 1.00, 512x3072x768 1.02. Packed rows
 * are fetched ahead, which wins if there are many: 1500x64x384 0.93, 1500x128x384 0.97,
 * 1500x192x384 1.05. Up to half a tile of rows are packed in less time than it takes to
 * begin blocks.
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
