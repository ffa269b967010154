/* SPDX-License-Identifier: MIT */
/*
 * The matrix products on AMX tiles: what stands in place of the vector tiles of
 * gemm_int.h or gemm_float.h, one of which is included before. 16 lines of a
 * panel are a tile of B, 64 bytes of 16 rows one of A, both where they are.
 *
 * A block of C is up to 32 rows: over 16 two tiles by two panels, else one tile
 * by up to four panels, and stays in tiles for all of k. What is left of k below
 * 64 bytes comes from copies filled up with 0, of A once a block and of B once a
 * block and panel; fewer rows are a matter of the configuration. Blocks have one
 * height, or two that differ by one, so there are two configurations a call at
 * most for each range of columns whose B stays in the second-level cache.
 *
 * tdpbf16ps adds to an element of C the sum of two chains of 16 fused
 * multiply-adds, from +0, over even and over odd k. First terms are exact, so
 * up to 32 k that is ceil(k / 2) roundings, and beyond 15 + ceil(k / 32): within
 * the bound of k. The order depends on k alone. Denormals are 0.
 */
#ifndef ISK_GEMM_AMX_H
#define ISK_GEMM_AMX_H

#include "amx.h"

enum amx_kind { AMX_US, AMX_SS, AMX_BF16 };

#define AMX_PANELS 4
#define AMX_COLS   (AMX_PANELS * ISK_PACKED_PANEL)
#define AMX_BLOCK  (2 * ISK_AMX_ROWS)
#define AMX_STRIP  (AMX_BLOCK * AMX_COLS / 2) /* elements of C that are in tiles at once */

/* Bytes of B that stay in the second-level cache, which is of 2 MiB on every CPU with AMX. */
#define AMX_BLOCK_BYTES (1024 * 1024)

struct amx_job {
	const struct product *p;
	size_t bytes;         /* of a row of A */
	size_t lda;           /* likewise, from one row to the next */
	size_t panel;         /* bytes from one panel to the next */
	const int32_t *start; /* by column: factor times what C starts from, NULL for 0 */
	int32_t factor;
};

/* C from the 32-bit sums of rows by cols elements, the first of which is (row, col). */
typedef void amx_emit_fn(const struct product *p, int32_t *t, size_t ldt, const int32_t *row_sums, size_t row,
                         size_t col, size_t rows, size_t cols);

#define AMX_PRODUCT(kind, c, a, b)                                                                           \
	do {                                                                                                     \
		if ((kind) == AMX_US)                                                                                \
			tile_dpb_us(c, a, b);                                                                            \
		else if ((kind) == AMX_SS)                                                                           \
			tile_dpb_ss(c, a, b);                                                                            \
		else                                                                                                 \
			tile_dpbf16(c, a, b);                                                                            \
	} while (0)

/*
 * 64 bytes of k. Tiles: C 0 to 3, row by row if there are two of A; A 4, and 5 for
 * the rows below the upper ones; B 6 and 7.
 */
ISK_INLINE void amx_step(const unsigned char *a, size_t lda, size_t upper, const unsigned char *b,
                         size_t panel, size_t panels, const int two, const enum amx_kind kind)
{
	tile_load(4, a, lda);
	if (two)
		tile_load(5, a + upper * lda, lda);
	tile_load(6, b, ISK_PACKED_LINE);
	AMX_PRODUCT(kind, 0, 4, 6);
	if (two)
		AMX_PRODUCT(kind, 2, 5, 6);
	if (panels < 2)
		return;
	tile_load(7, b + panel, ISK_PACKED_LINE);
	AMX_PRODUCT(kind, 1, 4, 7);
	if (two)
		AMX_PRODUCT(kind, 3, 5, 7);
	if (two || panels < 3)
		return;
	tile_load(6, b + 2 * panel, ISK_PACKED_LINE);
	AMX_PRODUCT(kind, 2, 4, 6);
	if (panels < 4)
		return;
	tile_load(7, b + 3 * panel, ISK_PACKED_LINE);
	AMX_PRODUCT(kind, 3, 4, 7);
}

/* C from the upper rows of t, and from the others if there are two tiles of A. */
ISK_INLINE void amx_load(const int32_t *t, size_t ldt, size_t upper, size_t panels, const int two)
{
	const size_t bytes = ldt * sizeof(*t);

	tile_load(0, t, bytes);
	if (panels > 1)
		tile_load(1, t + 16, bytes);
	if (two) {
		tile_load(2, t + upper * ldt, bytes);
		if (panels > 1)
			tile_load(3, t + upper * ldt + 16, bytes);
	} else {
		if (panels > 2)
			tile_load(2, t + 32, bytes);
		if (panels > 3)
			tile_load(3, t + 48, bytes);
	}
}

/* C starts from 0, or from a line for each panel, which all rows load. */
ISK_INLINE void amx_start(const struct amx_job *g, size_t col, size_t panels, const int two)
{
	int32_t line[AMX_COLS] __attribute__((aligned(ISK_PACKED_LINE)));

	if (!g->factor) {
		tile_zero(0);
		tile_zero(1);
		tile_zero(2);
		tile_zero(3);
		return;
	}
	for (size_t i = 0; i < panels * ISK_PACKED_PANEL; i += VL)
		vi_store(line + i, (vi)((vu)vi_load(g->start + col + i) * (uint32_t)g->factor));
	amx_load(line, 0, 0, panels, two);
}

ISK_INLINE void amx_store(int32_t *t, size_t ldt, size_t upper, size_t panels, const int two)
{
	const size_t bytes = ldt * sizeof(*t);

	tile_store(t, bytes, 0);
	if (panels > 1)
		tile_store(t + 16, bytes, 1);
	if (two) {
		tile_store(t + upper * ldt, bytes, 2);
		if (panels > 1)
			tile_store(t + upper * ldt + 16, bytes, 3);
	} else {
		if (panels > 2)
			tile_store(t + 32, bytes, 2);
		if (panels > 3)
			tile_store(t + 48, bytes, 3);
	}
}

/* So many bytes of k; tail is what A has beyond whole 64 of them, filled up with 0. */
ISK_INLINE void amx_steps(const unsigned char *a, size_t lda, const unsigned char *tail, size_t ldtail,
                          size_t bytes, size_t upper, const unsigned char *b, size_t panel, size_t panels,
                          const int two, const enum amx_kind kind)
{
	const size_t whole = bytes / ISK_AMX_BYTES * ISK_AMX_BYTES;
	unsigned char last[AMX_PANELS * ISK_AMX_ROWS * ISK_PACKED_LINE] __attribute__((aligned(ISK_PACKED_LINE)));

	/* 16 lines of 4 bytes of k each. */
	for (size_t at = 0; at < whole; at += ISK_AMX_BYTES)
		amx_step(a + at, lda, upper, b + at * ISK_PACKED_LINE / 4, panel, panels, two, kind);
	if (whole < bytes) {
		const size_t size = ISK_AMX_ROWS * ISK_PACKED_LINE;
		const size_t left = (bytes - whole + 3) / 4 * ISK_PACKED_LINE;

		for (size_t i = 0; i < panels; i++)
			for (size_t line = 0; line < size; line += ISK_PACKED_LINE)
				vi_store((int32_t *)(void *)(last + i * size + line),
				         line < left ? vi_load_bytes(b + i * panel + whole * ISK_PACKED_LINE / 4 + line,
				                                     ISK_PACKED_LINE)
				                     : vi_set1(0));
		amx_step(tail, ldtail, upper, last, size, panels, two, kind);
	}
}

/* Columns from col to end of a block of rows; straight: what is computed is C, where panels are whole. */
ISK_INLINE void amx_rows(const struct amx_job *g, size_t row, size_t rows, size_t col, size_t end,
                         const int32_t *row_sums, const int straight, amx_emit_fn *emit, const int two,
                         const enum amx_kind kind)
{
	const struct product *p = g->p;
	const size_t most = two ? AMX_PANELS / 2 : AMX_PANELS, upper = two ? (rows + 1) / 2 : rows;
	const size_t whole = g->bytes / ISK_AMX_BYTES * ISK_AMX_BYTES;
	const unsigned char *a = (const unsigned char *)p->a + row * g->lda;
	int32_t t[AMX_STRIP] __attribute__((aligned(ISK_PACKED_LINE)));
	unsigned char tail[AMX_BLOCK * ISK_AMX_BYTES] __attribute__((aligned(ISK_PACKED_LINE)));
	size_t cols;

	for (size_t i = 0; i < rows && whole < g->bytes; i++)
		vi_store((int32_t *)(void *)(tail + i * ISK_AMX_BYTES),
		         vi_load_bytes(a + i * g->lda + whole, g->bytes - whole));
	for (; col < end; col += cols) {
		const size_t left = end - col;
		size_t panels;
		int direct;

		cols = left < most * ISK_PACKED_PANEL ? left : most * ISK_PACKED_PANEL;
		panels = isk_packed_panels(cols);
		direct = straight && cols % ISK_PACKED_PANEL == 0;
		amx_start(g, col, panels, two);
		amx_steps(a, g->lda, tail, ISK_AMX_BYTES, g->bytes, upper,
		          p->panels + col / ISK_PACKED_PANEL * g->panel, g->panel, panels, two, kind);
		amx_store(direct ? (int32_t *)p->c + row * p->ldc + col : t,
		          direct ? p->ldc : most * ISK_PACKED_PANEL, upper, panels, two);
		if (!direct)
			emit(p, t, most * ISK_PACKED_PANEL, row_sums, row, col, rows, cols);
	}
}

static inline void amx_configure(size_t rows)
{
	const size_t upper = rows > ISK_AMX_ROWS ? (rows + 1) / 2 : rows;
	struct isk_amx_config config = {.palette = 1};

	for (int t = 0; t < ISK_AMX_TILES; t++) {
		const int lower = rows > ISK_AMX_ROWS && (t == 2 || t == 3 || t == 5);

		config.bytes[t] = ISK_AMX_BYTES;
		config.rows[t] = t >= 6 ? ISK_AMX_ROWS : (uint8_t)(lower ? rows - upper : upper);
	}
	tile_config(&config);
}

/* Adds the sums over so many k of each row of an 8-bit A, for the zero points of B. */
static inline void amx_row_sums(int32_t *sums, const unsigned char *a, size_t lda, size_t bytes, size_t rows,
                                const enum amx_kind kind)
{
	const vi ones = vi_set1(0x01010101);

	for (; rows; rows--, a += lda, sums++) {
		uint32_t total = (uint32_t)*sums;
		vi sum = vi_set1(0);

		for (size_t i = 0; i < bytes; i += 4 * VL) {
			const vi x = vi_load_bytes(a + i, bytes - i);

			sum = kind == AMX_SS ? vi_dot(sum, ones, x) : vi_dot(sum, x, ones);
		}
		for (int i = 0; i < VL; i++)
			total += (uint32_t)sum[i];
		*sums = (int32_t)total;
	}
}

/* Columns whose B stays in the second-level cache. */
ISK_INLINE size_t amx_columns(const struct amx_job *g)
{
	const size_t fit = AMX_BLOCK_BYTES / (g->bytes + 1) / AMX_COLS * AMX_COLS;

	return fit ? fit : AMX_COLS;
}

/* All of C. */
ISK_INLINE void amx_product(const struct amx_job *g, size_t m, const int straight, const int sum_rows,
                            amx_emit_fn *emit, const enum amx_kind kind)
{
	const size_t n = g->p->n, blocks = (m + AMX_BLOCK - 1) / AMX_BLOCK, most = amx_columns(g);
	size_t height, configured = 0;

	/* Of no rows there may be any number of columns. */
	for (size_t col = 0; col < n && m; col += most)
		for (size_t row = 0, left = blocks; left; row += height, left--) {
			const size_t end = n - col < most ? n : col + most;
			int32_t row_sums[AMX_BLOCK] = {0};

			height = (m - row + left - 1) / left;
			if (height != configured)
				amx_configure(configured = height);
			if (sum_rows)
				amx_row_sums(row_sums, (const unsigned char *)g->p->a + row * g->lda, g->lda, g->bytes,
				             height, kind);
			if (height > ISK_AMX_ROWS)
				amx_rows(g, row, height, col, end, row_sums, straight, emit, 1, kind);
			else
				amx_rows(g, row, height, col, end, row_sums, straight, emit, 0, kind);
		}
	tile_release();
}

#endif
