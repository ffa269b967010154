/* SPDX-License-Identifier: MIT */
/*
 * Matrix products of 8-bit integers, B packed as in packed.h. A file of kernels
 * says how rows of A are fetched and of what type C is.
 *
 * All sums are of unsigned by signed bytes, modulo 2^32, so their order is free;
 * what may wrap is added unsigned. A signed A has its sign bits flipped as it is
 * fetched: that is A + 128, with a zero point 128 higher. For the zero points za
 * and zb
 *
 *     sum (a - za)(b - zb) = sum ab - za * sum b - zb * (sum a - k * za)
 *
 * where the sum over b stands in the packed matrix and starts the accumulators,
 * and that over a is made only for a B that has a zero point.
 *
 * Up to DOT_FLAT rows make one tile, a panel wide: then B is read once, from end
 * to end. More rows make tiles of DOT_ROWS by WIDE panels. A is copied a row of
 * tiles at a time, as deep as the copy has room for, with rows an odd number of
 * lines apart: they never fall into the same set of the first-level cache, as they
 * do when lda is a multiple of 1024.
 */
#ifndef ISK_GEMM_INT_H
#define ISK_GEMM_INT_H

#include "gemm_line.h"
#include "gemm_post.h"

#define DOT_ROWS (VL == 16 ? VI_DOT_STEPS == 1 ? 14 : 12 : VL == 8 ? 6 : 2)
#define WIDE     (TILE / PANEL)
#define DOT_FLAT (DOT_ROWS * WIDE)

/* Vectors of a line, and lines that are added apart where rows are too few for the cycles of an addition. */
#define VECTORS      (PANEL / VL)
#define MOST_CHAINS  8
#define CHAINS(rows) (VI_DOT_STEPS > 1 ? 1 : (MOST_CHAINS - 1) / ((rows) * VECTORS) + 1)

/*
 * 32-bit words on the stack: copied A, and sums that wait for the next part of k.
 * They wait in C where it can hold them, but for the panel that is not all of C.
 */
#define COPY       10240
#define SUMS       4096
#define BLOCK_ROWS (SUMS / PANEL / DOT_ROWS * DOT_ROWS)
#define WAIT_COLS  128
#define WAIT_ROWS  (SUMS / WAIT_COLS / DOT_ROWS * DOT_ROWS)

/* Bytes of B that stay in the second-level cache from one row of tiles to the next. */
#define BLOCK_BYTES (384 * 1024)

/*
 * Bytes ahead in B that are fetched into the second-level cache while this line
 * is used; towards the end of the lines of a tile, those of the next one. Not all
 * with more than two chains: there the hardware fetches well from the third-level
 * cache, and more loads are in the way. From memory it does not, so a single row
 * asks for one line in MOST_CHAINS, which costs little and sets it going.
 */
#define DOT_AHEAD 8192

/* For loops over registers, of at most n rounds: clang gives up where n is more than there are. */
#ifdef __clang__
#define UNROLL(n) _Pragma("clang loop unroll(full)")
#else
#define UNROLL_PRAGMA(text) _Pragma(#text)
#define UNROLL(n)           UNROLL_PRAGMA(GCC unroll n)
#endif

struct product {
	void *c;
	const void *a;
	const unsigned char *panels; /* of B, and */
	const int32_t *sums;         /* its sums, from the first column of C on */
	size_t n, k, ldc, lda;
	const struct isk_post *post;
	int32_t a_zero; /* of the unsigned A */
	int32_t flip;   /* of its words: 0x80808080 or 0 */
};

/*
 * Brings k elements of rows rows of A, from (row, at) on, to rows of bytes that
 * are stride apart, flipped, the last group filled up with flipped zeros. There
 * is room for whole vectors.
 */
typedef void fetch_fn(unsigned char *to, size_t stride, const struct product *p, size_t row, size_t rows,
                      size_t at, size_t k);

/* Words between the copied rows of a tile, or between the halves of a row where vi_dot takes two steps. */
ISK_INLINE size_t copy_depth(size_t rows)
{
	return ((COPY / PANEL / VI_DOT_STEPS / rows - 1) | 1) * PANEL;
}

/* One line of each panel. */
ISK_INLINE void dot_line(vi acc[][WIDE * VECTORS], const int32_t *a, const unsigned char *b, size_t panel,
                         const int rows, const int panels)
{
	const int vectors = panels * VECTORS;
	const size_t depth = copy_depth((size_t)rows);
	vi bv[WIDE * VECTORS];

	UNROLL(2)
	for (int s = 0; s < VI_DOT_STEPS; s++) {
		UNROLL(8)
		for (int v = 0; v < vectors; v++) {
			const unsigned char *line = b + (size_t)(v / VECTORS) * panel;

			bv[v] = vi_dot_b(vi_load((const int32_t *)(const void *)line + v % VECTORS * VL), s);
		}
		UNROLL(28)
		for (int r = 0; r < rows; r++) {
			const vi x = vi_set1(a[(size_t)(r * VI_DOT_STEPS + s) * depth]);

			UNROLL(8)
			for (int v = 0; v < vectors; v++) {
				acc[r][v] = vi_dot(acc[r][v], x, bv[v]);
				/* Each sum is made where it stands: gcc would make all products first, and spill them. */
				if (VI_DOT_STEPS > 1)
					__asm__("" : "+v"(acc[r][v]));
			}
		}
	}
}

/*
 * rows by panels of C (out, ldout), as f32 if that is wanted: lines groups of k,
 * added to the sums in t, or if t is NULL to start times factor. Panels of B are
 * panel bytes apart. Rows from next on, ldnext apart, will be copied some time
 * later: those of WIDE tiles, as many as panels, are fetched up to where a is.
 */
ISK_INLINE void multiply(int32_t *out, size_t ldout, const int32_t *t, size_t ldt, const int32_t *start,
                         int32_t factor, const int32_t *a, const unsigned char *b, size_t panel, size_t lines,
                         int as_float, const unsigned char *next, size_t ldnext, const int rows,
                         const int panels, const int chains)
{
	const int vectors = panels * VECTORS;
	const size_t turn = (size_t)panels * panel - lines * ISK_PACKED_LINE;
	size_t ahead = DOT_AHEAD + (lines < DOT_AHEAD / ISK_PACKED_LINE ? turn : 0);
	vi acc[MOST_CHAINS][DOT_FLAT][WIDE * VECTORS];

	UNROLL(8)
	for (int v = 0; v < vectors; v++) {
		const vi first = factor ? (vi)((vu)vi_load(start + v * VL) * (uint32_t)factor) : vi_set1(0);

		UNROLL(28)
		for (int r = 0; r < rows; r++) {
			acc[0][r][v] = t ? vi_load(t + (size_t)r * ldt + v * VL) : first;
			UNROLL(8)
			for (int c = 1; c < chains; c++)
				acc[c][r][v] = vi_set1(0);
		}
	}
	for (; chains > 1 && lines >= (size_t)chains; lines -= (size_t)chains) {
		UNROLL(8)
		for (int c = 0; c < chains; c++) {
			if (chains == 2 || (chains == MOST_CHAINS && c == 0))
				__builtin_prefetch(b + c * ISK_PACKED_LINE + DOT_AHEAD, 0, 2);
			dot_line(acc[c], a + c, b + c * ISK_PACKED_LINE, panel, rows, panels);
		}
		a += chains;
		b += chains * ISK_PACKED_LINE;
	}
	for (; lines; lines--, a++, b += ISK_PACKED_LINE) {
		if (chains == 1) {
			if (lines == DOT_AHEAD / ISK_PACKED_LINE)
				ahead += turn;
			UNROLL(2)
			for (int p = 0; p < panels; p++) {
				__builtin_prefetch(b + (size_t)p * panel + ahead, 0, 2);
				if (panels > 1)
					__builtin_prefetch(next + (size_t)p * ldnext);
			}
			next += 4;
		}
		dot_line(acc[0], a, b, panel, rows, panels);
	}
	UNROLL(28)
	for (int r = 0; r < rows; r++)
		UNROLL(8)
		for (int v = 0; v < vectors; v++) {
			vi sum = acc[0][r][v];

			UNROLL(8)
			for (int c = 1; c < chains; c++)
				sum = (vi)((vu)sum + (vu)acc[c][r][v]);
			vi_store(out + (size_t)r * ldout + v * VL, as_float ? vf_bits(vi_to_vf(sum)) : sum);
		}
}

/* The same for numbers of rows and panels that the compiler does not know: one panel, or WIDE for DOT_ROWS. */
#define FLAT_CASE(r, most)                                                     \
	case r:                                                                    \
		if ((r) <= (most))                                                     \
			multiply(out, ldout, t, ldt, start, factor, a, b, panel, lines, as_float, next, ldnext, \
			         (r) <= (most) ? (r) : 1, 1, CHAINS(r));                   \
		break;
#define WIDE_CASE(r)                                                           \
	case r:                                                                    \
		if ((r) <= DOT_ROWS)                                                   \
			multiply(out, ldout, t, ldt, start, factor, a, b, panel, lines, as_float, next, ldnext, \
			         (r) <= DOT_ROWS ? (r) : 1, WIDE, 1);                      \
		break;

static __attribute__((noinline)) void tile(int32_t *out, size_t ldout, const int32_t *t, size_t ldt,
                                           const int32_t *start, int32_t factor, const int32_t *a,
                                           const unsigned char *b, size_t panel, size_t lines, int as_float,
                                           const unsigned char *next, size_t ldnext, size_t rows,
                                           size_t panels)
{
	if (panels == 1) {
		switch (rows) {
			UP_TO_28(FLAT_CASE, DOT_FLAT)
		}
	} else {
		/* More than DOT_FLAT rows, in tiles of about a height, leave none lower. */
		switch (rows) {
			WIDE_CASE(6) WIDE_CASE(7) WIDE_CASE(8) WIDE_CASE(9) WIDE_CASE(10)
			WIDE_CASE(11) WIDE_CASE(12) WIDE_CASE(13) WIDE_CASE(14)
		}
	}
}

/* Splits each row of words into the two that vi_dot takes one after the other. */
ISK_INLINE void split_copy(int32_t *a, size_t depth, size_t rows, size_t lines)
{
	for (; VI_DOT_STEPS > 1 && rows; rows--, a += VI_DOT_STEPS * depth)
		for (size_t i = 0; i < lines; i += VL) {
			const vi x = vi_load(a + i);

			vi_store(a + i, vi_dot_a(x, 0));
			vi_store(a + depth + i, vi_dot_a(x, 1));
		}
}

/* Adds to sums those over k elements of the copied rows. */
static void add_row_sums(int32_t *sums, const int32_t *a, size_t depth, size_t rows, size_t k, int32_t flip)
{
	const size_t lines = (k + 3) / 4;
	const vi ones = vi_set1(0x01010101);

	for (; rows; rows--, sums++, a += VI_DOT_STEPS * depth) {
		uint32_t total = (uint32_t)*sums - (uint32_t)(lines * 4 - k) * (flip & 255u);
		vi sum = vi_set1(0);

		for (size_t i = 0; i < lines; i += VL)
			for (int s = 0; s < VI_DOT_STEPS; s++) {
				const int32_t *x = a + (size_t)s * depth + i;

				sum = vi_dot(sum, lines - i < VL ? vi_load_n(x, lines - i) : vi_load(x), vi_dot_b(ones, s));
			}
		for (int i = 0; i < VL; i++)
			total += (uint32_t)sum[i];
		*sums = (int32_t)total;
	}
}

/* What zero points of B take from the sums in t, which become f32 if that is wanted. */
static void take_b_zeros(int32_t *t, size_t ldt, const struct product *p, const int32_t *row_sums, size_t col,
                         size_t rows, size_t cols, int as_float)
{
	const struct isk_post *post = p->post;
	const uint32_t all = (uint32_t)p->k * (uint32_t)p->a_zero;

	for (size_t j = 0; j < cols; j += VL) {
		const size_t n = cols - j < VL ? cols - j : VL;
		const vi zero = post->b_zeros == 1 ? vi_set1(*post->b_zero) : vi_load_n(post->b_zero + col + j, n);

		for (size_t i = 0; i < rows; i++) {
			const vi x = (vi)((vu)vi_load(t + i * ldt + j) - (vu)zero * ((uint32_t)row_sums[i] - all));

			vi_store(t + i * ldt + j, as_float ? vf_bits(vi_to_vf(x)) : x);
		}
	}
}

static void store_s32(int32_t *c, size_t ldc, const int32_t *t, size_t ldt, size_t rows, size_t cols)
{
	for (; rows; rows--, c += ldc, t += ldt)
		for (size_t j = 0; j < cols; j += VL)
			if (cols - j < VL)
				vi_store_n(c + j, vi_load(t + j), cols - j);
			else
				vi_store(c + j, vi_load(t + j));
}

/* C from sums, which are no longer wanted. */
ISK_INLINE void emit_sums(const struct product *p, int32_t *t, size_t ldt, const int32_t *row_sums, size_t row,
                          size_t col, size_t rows, size_t cols, finish_fn *finish, const enum isk_c type)
{
	if (p->post->b_zeros)
		take_b_zeros(t, ldt, p, row_sums, col, rows, cols, type != C_S32);
	for (size_t i = 0; i < rows && type != C_S32 && !p->post->b_zeros; i++)
		for (size_t j = 0; j < cols; j += VL)
			vi_store(t + i * ldt + j, vf_bits(vi_to_vf(vi_load(t + i * ldt + j))));
	if (type == C_S32)
		store_s32((int32_t *)p->c + row * p->ldc + col, p->ldc, t, ldt, rows, cols);
	else
		finish(p->c, p->ldc, (float *)t, ldt, row, col, rows, cols, p->post);
}

/* An amx_emit_fn. */
#define DEFINE_EMIT(name, finish, type)                                        \
	static void name(const struct product *p, int32_t *t, size_t ldt, const int32_t *row_sums, size_t row, \
	                 size_t col, size_t rows, size_t cols)                     \
	{                                                                          \
		emit_sums(p, t, ldt, row_sums, row, col, rows, cols, finish, type);    \
	}

/*
 * One block of C; row and col are its first element, part the k that is done at
 * once, DOT_ROWS or DOT_FLAT the height of its tiles.
 */
ISK_INLINE void block(const struct product *p, size_t row, size_t col, size_t rows, size_t cols, size_t part,
                      const int in_c, size_t most, fetch_fn *fetch, finish_fn *finish, const enum isk_c type)
{
	const size_t panel = (p->k + 3) / 4 * ISK_PACKED_LINE, tiles = (rows + most - 1) / most;
	const int plain = type == C_S32 || (type == C_F32 && post_is_plain(p->post));
	const int correct = p->post->b_zeros != 0;
	const int waits = part < p->k;
	const size_t ldsums = !waits ? WIDE * PANEL : in_c ? PANEL : WAIT_COLS;
	int32_t sums[SUMS] __attribute__((aligned(ISK_PACKED_LINE)));
	int32_t a[COPY] __attribute__((aligned(ISK_PACKED_LINE)));
	int32_t row_sums[BLOCK_ROWS];
	size_t at = 0;

	for (size_t i = 0; i < rows && correct; i++)
		row_sums[i] = 0;
	do {
		const size_t k = p->k - at < part ? p->k - at : part, lines = (k + 3) / 4;
		const int last = at + k == p->k;
		size_t height;

		for (size_t i = 0, left = tiles; left; i += height, left--) {
			size_t depth, width;

			height = tile_height(rows - i, left);
			depth = copy_depth(height);
			fetch((unsigned char *)a, VI_DOT_STEPS * depth * 4, p, row + i, height, at, k);
			split_copy(a, depth, height, lines);
			if (correct)
				add_row_sums(row_sums + i, a, depth, height, k, p->flip);
			for (size_t j = 0; j < cols; j += width) {
				const size_t panels = most == DOT_ROWS && cols - j >= WIDE * PANEL ? WIDE : 1;
				const size_t first = (col + j) / PANEL;
				const int whole = cols - j >= PANEL, waits_in_c = waits && in_c && whole;
				const int straight = last && plain && whole && !correct;
				int32_t *c = (int32_t *)p->c + (row + i) * p->ldc + col + j;
				int32_t *t = waits_in_c ? c : sums + (waits ? i * ldsums + (in_c ? 0 : j) : 0);
				const size_t ldt = waits_in_c ? p->ldc : ldsums;
				int32_t *out = straight ? c : t;
				const size_t ldout = straight ? p->ldc : ldt;

				/* Of the next row of tiles, those rows whose turn it is; nothing if A has no rows. */
				const size_t later = i + height + j / PANEL;
				const unsigned char *next = p->lda && later < rows
				                                ? (const unsigned char *)p->a + (row + later) * p->lda + at
				                                : (const unsigned char *)a;

				width = whole ? panels * PANEL : cols - j;
				tile(out, ldout, at ? t : NULL, ldt, p->sums + first * PANEL, -p->a_zero, a,
				     p->panels + first * panel + at / 4 * ISK_PACKED_LINE, panel, lines,
				     last && type != C_S32 && !correct, next, p->lda, height, panels);
				if (!last || straight)
					continue;
				if (correct)
					take_b_zeros(t, ldt, p, row_sums + i, col + j, height, width, type != C_S32);
				if (type == C_S32)
					store_s32(c, p->ldc, t, ldt, height, width);
				else
					finish(p->c, p->ldc, (float *)t, ldt, row + i, col + j, height, width, p->post);
			}
		}
		at += k;
	} while (at < p->k);
}

/* All of C. Blocks, and parts of k, are of a size, but for what is left at the end. */
ISK_INLINE void product(const struct product *p, size_t m, fetch_fn *fetch, finish_fn *finish,
                        const enum isk_c type)
{
	const struct isk_post *post = p->post;
	const size_t most = m <= DOT_FLAT ? DOT_FLAT : DOT_ROWS, depth = copy_depth(m < most && m ? m : most) * 4;
	const size_t parts = p->k / depth + 1, part = (p->k / parts / ISK_PACKED_LINE + 1) * ISK_PACKED_LINE;
	const int in_c = !post->b_zeros
	                 && (type == C_S32
	                     || (type == C_F32 && (post->binary == ISK_BINARY_NONE || post->other != p->c)));
	const int held = part < p->k && !in_c;
	const size_t most_rows = held ? WAIT_ROWS : BLOCK_ROWS;
	/* Of no columns there may be any number of rows. */
	const size_t blocks = p->n ? m / most_rows + (m % most_rows != 0) : 0;
	const size_t tiles_wide = BLOCK_BYTES / part / (2 * PANEL);
	const size_t most_cols = held ? WAIT_COLS : m <= DOT_FLAT ? p->n : tiles_wide * 2 * PANEL;
	size_t rows;

	for (size_t i = 0, left = blocks; left; i += rows, left--) {
		rows = tile_height(m - i, left);
		for (size_t j = 0; j < p->n; j += most_cols)
			block(p, i, j, rows, p->n - j < most_cols ? p->n - j : most_cols, part, in_c, most, fetch,
			      finish, type);
	}
}

#endif
