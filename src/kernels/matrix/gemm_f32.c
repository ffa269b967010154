/* SPDX-License-Identifier: MIT */
/*
 * f32 by f32. matmul.c computes some shapes, one panel of B after the other: see suits_matmul().
 */
#include "gemm_f32_kernels.h"
#include "gemm.h"
#include "thresholds.h"
#include "tile.h"

ISK_EXTERN int ISK_FN(matmul_f32)(float *c, const float *a, const float *b, size_t m, size_t n, size_t k, size_t ldc,
                                  size_t lda, size_t ldb, unsigned transposed, const struct isk_post *post);

/*
 * Whether rows of f32 are read in place, because few columns use them. Packed rows are fetched ahead, which wins if there
 * are many. Up to half a tile of rows are packed in less time than it takes to begin blocks.
 */
static int suits_place(const struct product *p)
{
	return p->m > MR / 2
	       && (p->n <= FEW_COLUMNS || (p->n <= SOME_COLUMNS && p->m <= SMALL_C / p->n && !share_a_set(p->lda)));
}

/*
 * Whether matmul.c is faster than the driver. A panel of f32 is an unpacked B with rows of 16; the tiles of matmul.c may
 * be narrow, and read A in place: with up to half a panel of columns they take at most 0.5 of the time (Zen 3).
 */
static int suits_matmul(const struct product *p)
{
	return p->m > MR && p->n && (p->n <= PANEL / 2 || (p->n < PANEL && p->m >= MANY_ROWS));
}

/* Whether k is so short that a panel stays in the first-level cache and blocks are not worth their beginning. */
static int is_short(const struct product *p)
{
	return p->m > MR && p->k <= SHORT_K && p->n <= SHORT_N && post_is_plain(p->post);
}

/* The columns from `first` on, by matmul.c. */
static void by_panels(const struct product *p, size_t first)
{
	struct isk_post post = *p->post;

	post.first_column = 0;
	for (size_t j = first; j < p->n; j += PANEL) {
		const float *b = (const float *)(const void *)(p->panels + j / PANEL * p->panel);
		const size_t n = p->n - j < PANEL ? p->n - j : PANEL;

		ISK_FN(matmul_f32)((float *)p->c + j, p->a, b, p->m, n, p->k, p->ldc, p->lda, PANEL, 0,
		                   post_is_plain(&post) ? NULL : &post);
	}
}

/* The next `vectors` vectors of a C of one row, from column j on; the last one may have fewer columns. Returns where they end. */
ISK_INLINE size_t multiply_row(const struct product *p, size_t j, const size_t vectors)
{
	const size_t panel = p->panel / sizeof(float), at = vectors * VL < PANEL ? j % PANEL : 0;
	const float *a = p->a, *b = (const float *)(const void *)p->panels + j / PANEL * panel + at;
	float *c = (float *)p->c + j;
	vf sums[8];

#pragma GCC unroll 8
	for (size_t v = 0; v < vectors; v++)
		sums[v] = vf_set1(0);
	for (size_t i = 0; i < p->k; i++, b += PANEL)
#pragma GCC unroll 8
		for (size_t v = 0; v < vectors; v++)
			sums[v] = vf_fma(vf_set1(a[i]), vf_load(b + v * VL / PANEL * panel + v * VL % PANEL), sums[v]);
#pragma GCC unroll 8
	for (size_t v = 0; v + 1 < vectors; v++)
		vf_store(c + v * VL, sums[v]);
	c += (vectors - 1) * VL;
	if (p->n - j >= vectors * VL)
		vf_store(c, sums[vectors - 1]);
	else
		vf_store_n(c, sums[vectors - 1], p->n - j - (vectors - 1) * VL);
	return j + vectors * VL;
}

/*
 * A C of one row: eight chains of additions hide the latency of an FMA, while the driver takes one panel after the other,
 * which is faster only if k is long: ROW_K.
 */
static void one_row(const struct product *p)
{
	size_t j = 0;

	while (p->n - j >= 8 * VL)
		j = multiply_row(p, j, 8);
	while (j < p->n)
		j = p->n - j > 3 * VL ? multiply_row(p, j, 4) : multiply_row(p, j, 1);
}

/*
 * Tiles of two panels for by_strips(), if a panel is a vector. They read n, k, ldc and lda of q, and in ldb the number of
 * floats of a panel.
 */
#if VL == PANEL
typedef int strip_fn(const struct isk_matmul_plan *q, float *c, const float *a, const float *b);
#define EACH_STRIP(X) ROWS_14(X, KINDS - 1)
#define DEFINE_STRIP(rows, kind)                                               \
	static int strip_##rows(const struct isk_matmul_plan *q, float *c, const float *a, const float *b) \
	{                                                                          \
		return multiply(c, a, b, 0, q->n, q->k, q->ldc, q->lda, q->ldb, rows, kind, 1, 1, ISK_F32); \
	}
#define CASE_STRIP(rows, kind)                                                 \
	case rows:                                                                 \
		fn = strip_##rows;                                                     \
		OPAQUE(fn);                                                            \
		return fn;
EACH_STRIP(DEFINE_STRIP)

ISK_INLINE strip_fn *strip_of(size_t rows)
{
	strip_fn *fn;

	switch (rows) {
		EACH_STRIP(CASE_STRIP)
	default:
		__builtin_unreachable();
	}
}

/*
 * Multiplies as many pairs of panels as there are, and returns the number of their columns. The last pair may have fewer
 * columns than two panels, but more than one; if a vector is executed in halves, more than one and a half, because 24
 * columns are then three halves for matmul.c, and four for a pair (Zen 4: 3136x24x64 takes 1.27).
 */
static size_t pairs_of_panels(const struct product *p)
{
	const size_t pairs = (p->n + (IS_WHOLE ? PANEL : PANEL / 2) - 1) / CHUNK, most = rows_in_place(p->lda);
	struct isk_matmul_plan q;
	size_t rows;

	q.k = p->k;
	q.ldc = p->ldc;
	q.lda = p->lda;
	q.ldb = p->panel / sizeof(float);
	for (size_t row = 0; row < p->m && pairs; row += rows) {
		float *c = (float *)p->c + row * p->ldc;
		const float *b = (const float *)(const void *)p->panels;

		rows = next_height(p->m - row, most);
		for (size_t j = 0; j < pairs; j++, c += CHUNK, b += 2 * q.ldb) {
			q.n = p->n - j * CHUNK < CHUNK ? p->n - j * CHUNK : CHUNK;
			strip_of(rows)(&q, c, (const float *)p->a + row * p->lda, b);
		}
	}
	return pairs * CHUNK;
}
#endif

/*
 * A short product. Tiles of two panels compute as many columns as they can, because they need fewer loads than those of
 * matmul.c, which are one panel wide here. Their time relative to matmul.c, Zen 5: 64x64x64 and 4096x64x64 0.84,
 * 4096x512x13 0.76, 128x512x13 0.83, 3136x24x64 0.85. Rows: gemm_f32/64x64x64 and the groups
 * short-k and mobilenetv3
 */
static void by_strips(const struct product *p)
{
#if VL == PANEL
	by_panels(p, pairs_of_panels(p));
#else
	by_panels(p, 0);
#endif
}

ISK_INLINE void multiply_f32(struct product *p, const enum isk_type b)
{
	int in_place;

	(void)b;
	p->kind = WIDE_F32;
	p->sums = NULL;
	if (suits_matmul(p)) {
		by_panels(p, 0);
		return;
	}
	if (is_short(p)) {
		by_strips(p);
		return;
	}
	if (p->m == 1 && p->k <= ROW_K && post_is_plain(p->post)) {
		one_row(p);
		return;
	}
	in_place = suits_place(p);
	p->pack = in_place ? NULL : ISK_PART(pack_a, pack_floats);
	p->micro = in_place   ? ISK_PART(micro_float, direct_f32)
	           : IS_WHOLE ? ISK_PART(micro_wide, micro_wide_f32)
	                      : ISK_PART(micro_float, micro_f32);
	ISK_PART(driver, drive)(p);
}

#define GEMM_F32(kernel, A, B, C, ...) GEMM(kernel, A, B, C, multiply_f32)
ISK_EACH_gemm(GEMM_F32, )
