/* SPDX-License-Identifier: MIT */
/*
 * C = post(A * B), B packed as in packed.h. Each sum is one chain of fused
 * multiply-adds in the order of k, from +0. Blocking splits the chain but never
 * reorders it: a partial sum that waits in memory is the f32 it was. k roundings
 * make the bound of eps * k * sum |terms|, which one product attains.
 *
 * A tile of C is ROWS by TILE, as many accumulators as registers allow. A block
 * of C is BLOCK_ROWS by BLOCK_COLS; it takes k by DEPTH, so that the panels of B
 * it reads stay in the second-level cache from one tile to the next. A is
 * copied ROWS by DEPTH at a time: then its rows are a constant apart, cost one
 * pointer, and never fall into the same set of the first-level cache, which
 * they do when lda is a multiple of 1024.
 */
#include "kernel.h"
#include "packed.h"
#include "vmath.h"

#define PANEL      ISK_PACKED_PANEL
#define ROWS       (VL == 16 ? 14 : VL == 8 ? 6 : 2)
#define TILE       (VL == 16 ? 2 * PANEL : PANEL)
#define DEPTH      256
#define STRIDE     (DEPTH + 16)
#define BLOCK_ROWS 64
#define BLOCK_COLS 128

/* Panels side by side for a single row of A: as many chains of additions as FMAs take cycles. */
#define ROW_PANELS (VL == 4 ? 2 : 4)

/* Bytes ahead in B that are fetched while this line is used. */
#define AHEAD 4096

/* rows by panels of C (out, ldout): k steps of the chains that stand in t, or that start here if t is NULL. */
ISK_INLINE void multiply(float *out, size_t ldout, const float *t, size_t ldt, const float *a, size_t lda,
                         const float *b, size_t panel, size_t k, const int rows, const int panels)
{
	const int vectors = panels * PANEL / VL;
	vf acc[ROWS][ROW_PANELS * PANEL / VL], bv[ROW_PANELS * PANEL / VL];

#pragma GCC unroll 14
	for (int r = 0; r < rows; r++)
#pragma GCC unroll 8
		for (int v = 0; v < vectors; v++)
			acc[r][v] = t ? vf_load(t + (size_t)r * ldt + v * VL) : vf_set1(0);
	for (; k; k--, a++, b += PANEL) {
#pragma GCC unroll 8
		for (int v = 0; v < vectors; v++)
			bv[v] = vf_load(b + (size_t)(v * VL / PANEL) * panel + v * VL % PANEL);
#pragma GCC unroll 4
		for (int p = 0; p < panels; p++)
			__builtin_prefetch((const char *)(b + (size_t)p * panel) + AHEAD);
#pragma GCC unroll 14
		for (int r = 0; r < rows; r++) {
			const vf x = vf_set1(a[(size_t)r * lda]);

#pragma GCC unroll 8
			for (int v = 0; v < vectors; v++)
				acc[r][v] = vf_fma(x, bv[v], acc[r][v]);
		}
	}
#pragma GCC unroll 14
	for (int r = 0; r < rows; r++)
#pragma GCC unroll 8
		for (int v = 0; v < vectors; v++)
			vf_store(out + (size_t)r * ldout + v * VL, acc[r][v]);
}

/* The same for a copied block of A and a number of rows that the compiler does not know. */
#define CASE(r)                                                                \
	case r:                                                                    \
		if ((r) <= ROWS)                                                       \
			multiply(out, ldout, t, BLOCK_COLS, a, STRIDE, b, panel, k, (r) <= ROWS ? (r) : 1, panels); \
		break;

ISK_INLINE void multiply_rows(float *out, size_t ldout, const float *t, const float *a, const float *b,
                              size_t panel, size_t k, size_t rows, const int panels)
{
	switch (rows) {
		CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
		CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14)
	}
}

static void multiply_tile(float *out, size_t ldout, const float *t, const float *a, const float *b,
                          size_t panel, size_t k, size_t rows, size_t panels)
{
	if (panels * PANEL == TILE)
		multiply_rows(out, ldout, t, a, b, panel, k, rows, TILE / PANEL);
	else
		multiply_rows(out, ldout, t, a, b, panel, k, rows, 1);
}

ISK_INLINE vf activate(vf x, const enum isk_activation act, vf a, vf b)
{
	const vf zero = vf_set1(0), one = vf_set1(1), six = vf_set1(6);
	const vf hard = vf_min(one, vf_max(zero, vf_fma(x, one / six, one / 2)));

	switch (act) {
	case ISK_ACT_NONE:
		return x;
	case ISK_ACT_RELU:
		return vf_relu(x);
	case ISK_ACT_RELU6:
		return vf_min(six, vf_relu(x));
	case ISK_ACT_LEAKY_RELU:
		return vf_sel(vf_lt(x, zero), x * a, x);
	case ISK_ACT_SIGMOID:
		return vf_sigmoid(x);
	case ISK_ACT_HARDSIGMOID:
		return hard;
	case ISK_ACT_TANH:
		return vf_tanh(x);
	case ISK_ACT_HARDTANH:
		return vf_min(b, vf_max(a, x));
	case ISK_ACT_HARDSWISH:
		/* not -Inf * 0 */
		return vf_max(vf_set1(-3), x) * hard;
	case ISK_ACT_GELU:
		return vf_gelu(x);
	case ISK_ACT_GELU_TANH:
		return vf_gelu_tanh(x);
	case ISK_ACT_SILU:
		return vf_silu(x);
	}
	return x;
}

ISK_INLINE vf combine(vf x, enum isk_binary binary, vf other, vf scale)
{
	switch (binary) {
	case ISK_BINARY_NONE:
		return x;
	case ISK_BINARY_ADD:
		return x + other;
	case ISK_BINARY_SUB:
		return x - other;
	case ISK_BINARY_MUL:
		return x * other;
	case ISK_BINARY_AXPY:
		return vf_fma(scale, other, x);
	}
	return x;
}

/*
 * rows by cols of C, of which (row, col) is the first element, from their sums.
 * A missing scale is 1 and a missing bias -0, which change no bit.
 */
ISK_INLINE void finish_as(float *c, size_t ldc, const float *t, size_t ldt, size_t row, size_t col,
                          size_t rows, size_t cols, const struct isk_post *post,
                          const enum isk_activation act)
{
	const vf a = vf_set1(post->act_a), b = vf_set1(post->act_b), axpy = vf_set1(post->other_scale);
	const float *other = post->other;

	for (size_t j = 0; j < cols; j += VL) {
		const size_t n = cols - j < VL ? cols - j : VL;
		const vf scale = post->scales == 0   ? vf_set1(1)
		                 : post->scales == 1 ? vf_set1(*post->scale)
		                                     : vf_load_upto(post->scale + col + j, n);
		const vf bias = post->bias ? vf_load_upto(post->bias + col + j, n) : vf_set1(-0.0f);

		for (size_t i = 0; i < rows; i++) {
			vf x = activate(vf_fma(vf_load(t + i * ldt + j), scale, bias), act, a, b);

			if (post->binary != ISK_BINARY_NONE)
				x = combine(x, post->binary, vf_load_upto(other + (row + i) * post->ldother + col + j, n),
				            axpy);
			vf_store_upto(c + i * ldc + j, x, n);
		}
	}
}

#define FINISH(act)                                                            \
	case act:                                                                  \
		finish_as(c, ldc, t, ldt, row, col, rows, cols, post, act);            \
		break;

static void finish(float *c, size_t ldc, const float *t, size_t ldt, size_t row, size_t col, size_t rows,
                   size_t cols, const struct isk_post *post)
{
	switch (post->act) {
		FINISH(ISK_ACT_NONE)
		FINISH(ISK_ACT_RELU)
		FINISH(ISK_ACT_RELU6)
		FINISH(ISK_ACT_LEAKY_RELU)
		FINISH(ISK_ACT_SIGMOID)
		FINISH(ISK_ACT_HARDSIGMOID)
		FINISH(ISK_ACT_TANH)
		FINISH(ISK_ACT_HARDTANH)
		FINISH(ISK_ACT_HARDSWISH)
		FINISH(ISK_ACT_GELU)
		FINISH(ISK_ACT_GELU_TANH)
		FINISH(ISK_ACT_SILU)
	}
}

struct job {
	float *c;
	const float *a, *panels;
	size_t n, k, ldc, lda;
	const struct isk_post *post; /* never NULL */
	int plain;                   /* whether it asks for nothing */
};

static void copy_rows(float *to, const float *a, size_t lda, size_t rows, size_t k)
{
	for (; rows; rows--, a += lda, to += STRIDE)
		for (size_t i = 0; i < k; i += VL)
			vf_store(to + i, vf_load_upto(a + i, k - i));
}

/* One block of C; row and col are its first element. */
static void block(const struct job *g, size_t row, size_t col, size_t rows, size_t cols)
{
	const size_t tiles = (rows + ROWS - 1) / ROWS, panel = g->k * PANEL;
	float sums[BLOCK_ROWS * BLOCK_COLS], a[ROWS * STRIDE];
	size_t at = 0;

	do {
		const size_t k = g->k - at < DEPTH ? g->k - at : DEPTH;
		const int last = at + k == g->k;
		size_t height;

		/* Tiles of a height, or two that differ by one. */
		for (size_t i = 0, left = tiles; left; i += height, left--) {
			height = (rows - i + left - 1) / left;
			copy_rows(a, g->a + (row + i) * g->lda + at, g->lda, height, k);
			for (size_t j = 0; j < cols; j += TILE) {
				const size_t width = cols - j < TILE ? cols - j : TILE;
				const int straight = last && g->plain && width == TILE;
				float *c = g->c + (row + i) * g->ldc + col + j;
				float *t = sums + i * BLOCK_COLS + j;

				multiply_tile(straight ? c : t, straight ? g->ldc : BLOCK_COLS, at ? t : NULL, a,
				              g->panels + (col + j) * g->k + at * PANEL, panel, k, height,
				              isk_packed_panels(width));
				if (last && !straight)
					finish(c, g->ldc, t, BLOCK_COLS, row + i, col + j, height, width, g->post);
			}
		}
		at += k;
	} while (at < g->k);
}

/* One row: A and the sums stay where they are, and B is read once from end to end. */
static void single_row(const struct job *g)
{
	const size_t panel = g->k * PANEL;
	float sums[ROW_PANELS * PANEL];
	size_t width;

	for (size_t j = 0; j < g->n; j += width) {
		const float *b = g->panels + j * g->k;

		width = ROW_PANELS * PANEL;
		if (g->n - j > width - PANEL) {
			multiply(sums, 0, NULL, 0, g->a, 0, b, panel, g->k, 1, ROW_PANELS);
		} else {
			width = PANEL;
			multiply(sums, 0, NULL, 0, g->a, 0, b, panel, g->k, 1, 1);
		}
		width = width < g->n - j ? width : g->n - j;
		finish(g->c + j, 0, sums, 0, 0, j, 1, width, g->post);
	}
}

static int check_post(const struct isk_post *post, size_t m, size_t n)
{
	size_t extent;

	if (post->first_column % PANEL || (unsigned)post->act > ISK_ACT_SILU
	    || (unsigned)post->binary > ISK_BINARY_AXPY || (post->scales > 1 && post->scales != n))
		return ISK_ERR_POST;
	if (post->a_zero || post->b_zeros || post->out_scale != 0 || post->out_zero)
		return ISK_ERR_POST;
	if ((post->scales && !post->scale) || (post->binary && !post->other && m && n))
		return ISK_ERR_NULL;
	if (post->binary && post->ldother < n)
		return ISK_ERR_STRIDE;
	if (post->binary
	    && (__builtin_mul_overflow(m, post->ldother, &extent)
	        || __builtin_mul_overflow(extent, sizeof(float), &extent)))
		return ISK_ERR_SIZE;
	return ISK_OK;
}

int ISK_FN(gemm_f32)(float *c, const float *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc,
                     size_t lda, const struct isk_post *post)
{
	static const struct isk_post nothing = {.size = sizeof(nothing)};
	const struct isk_packed *header = packed;
	struct job g = {c, a, NULL, n, k, ldc, lda, post ? post : &nothing, 0};
	size_t extent;
	int status;

	if (g.post->size != sizeof(*post)) /* of another version: its other fields are not known */
		return ISK_ERR_POST;
	if (!packed || (!c && m && n) || (!a && m && n && k))
		return ISK_ERR_NULL;
	if (lda < k || ldc < n)
		return ISK_ERR_STRIDE;
	if (__builtin_mul_overflow(m, lda, &extent) || __builtin_mul_overflow(extent, sizeof(*a), &extent)
	    || __builtin_mul_overflow(m, ldc, &extent) || __builtin_mul_overflow(extent, sizeof(*c), &extent))
		return ISK_ERR_SIZE;
	status = isk_packed_check_header(header, ISK_F32);
	if (status)
		return status;
	if (header->k != k || g.post->first_column > header->n || n > header->n - g.post->first_column)
		return ISK_ERR_SHAPE;
	status = check_post(g.post, m, n);
	if (status)
		return status;
	g.panels = (const float *)((const unsigned char *)packed + ISK_PACKED_LINE) + g.post->first_column * k;
	g.plain = !g.post->scales && !g.post->bias && g.post->act == ISK_ACT_NONE
	          && g.post->binary == ISK_BINARY_NONE;
	if (m == 1) {
		single_row(&g);
		return ISK_OK;
	}
	for (size_t i = 0; i < m; i += BLOCK_ROWS)
		for (size_t j = 0; j < n; j += BLOCK_COLS)
			block(&g, i, j, m - i < BLOCK_ROWS ? m - i : BLOCK_ROWS,
			      n - j < BLOCK_COLS ? n - j : BLOCK_COLS);
	return ISK_OK;
}
