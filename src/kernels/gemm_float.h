/* SPDX-License-Identifier: MIT */
/*
 * Matrix products with sums in f32: C = post(A * B), B packed as in packed.h.
 * A file of kernels says how rows of A become f32 (a fetch function), of what
 * type B is and of what type C; all three are constants wherever they are used.
 *
 * Each sum is one chain of fused multiply-adds in the order of k, from +0.
 * Blocking splits the chain but never reorders it: a partial sum that waits in
 * memory is the f32 it was. k roundings make the bound of eps * k * sum |terms|,
 * which one product attains.
 *
 * A tile of C is ROWS by TILE, as many accumulators as registers allow. A block
 * of C is a number of tiles; it takes k by DEPTH, so that the panels of B it
 * reads stay in the second-level cache from one row of tiles to the next. A is
 * fetched a row of tiles by DEPTH at a time: then its rows are a constant apart,
 * cost one pointer, and never fall into the same set of the first-level cache,
 * as they do when lda is a multiple of 1024.
 */
#ifndef ISK_GEMM_FLOAT_H
#define ISK_GEMM_FLOAT_H

#include "gemm_line.h"
#include "gemm_post.h"

/*
 * k of a block, and its columns: panels of that size stay in the second-level
 * cache. One row of tiles reads B only once, and takes as much k as fits its copy
 * of A. The sums of a block wait in C where C can hold them, else in SUMS floats
 * of the stack.
 */
#define DEPTH      256
#define COPY       7904
#define BLOCK_ROWS (SUMS / TILE / ROWS * ROWS)
#define BLOCK_COLS (VL == 16 ? 384 : 256)
#define SUMS       7168
#define SUMS_ROWS  (4 * ROWS)
#define SUMS_COLS  128
#define FLAT_COLS  256

_Static_assert(SUMS_ROWS * SUMS_COLS <= SUMS && FLAT * FLAT_COLS <= SUMS
                   && BLOCK_ROWS * TILE <= SUMS,
               "each way of blocking has room for its sums");

/*
 * k of a row in the copy of A, and the distance of rows: known to the compiler
 * for each number of rows, and never so many lines that rows meet in one set of
 * the first-level cache. ROWS rows, or one less, have room for two parts of DEPTH
 * side by side, SECOND apart.
 */
ISK_INLINE size_t copy_depth(size_t rows)
{
	return (COPY / (rows == ROWS - 1 ? ROWS : rows) - 48) / 128 * 128;
}

ISK_INLINE size_t copy_stride(size_t rows)
{
	return copy_depth(rows) + 48;
}

#define SECOND (DEPTH + 16)

/*
 * Where lines of B have to be widened, tiles of a block are one panel by twice the
 * rows, as far as their copy has room, and each line is widened half as often: f16
 * is an eighth faster, bf16 a twentieth (Zen 4).
 */
#define TALL (VL == 16 ? 26 : ROWS)

_Static_assert(COPY / ROWS >= SECOND + DEPTH, "room for two parts");
_Static_assert(COPY / TALL >= DEPTH + 48, "room for the highest tile of a block");

/*
 * A tile of a block brings closer what comes next while it multiplies, since
 * nothing else hides how long memory takes: 4 % of all time at 1024 and more. The
 * lines of B are STRIPS times as many; each strip fetches lines of a row of the
 * next part of A, and of a row of the next tile of C. The last tile of a row of
 * tiles copies that part of A, a row a strip.
 */
#define STRIPS 16

struct ahead {
	const char *a;   /* lines to fetch, */
	const float *c;
	size_t lda, ldc; /* one row to the next, lda in bytes */
	const char *from;
	float *to;       /* where so many rows of A are copied */
	size_t rows;
};

/* The operands of a product; panels are those of B from the first column of C on. */
struct product {
	void *c;
	const void *a;
	const unsigned char *panels;
	size_t n, k, ldc, lda;
	const struct isk_post *post;
	size_t a_bytes; /* of an element, if tiles ROWS high copy rows of A as they are in memory, else 0 */
};

/*
 * Brings k elements of rows rows of A, from (row, at) on, to rows of f32 that
 * are stride apart, in the order in which they are multiplied, and fills them
 * up with 0 to whole groups of B.
 */
typedef void fetch_fn(float *to, size_t stride, const struct product *p, size_t row, size_t rows, size_t at,
                      size_t k);

/*
 * rows by panels of C (out, ldout): lines groups of k of the chains that stand in
 * t, or that start here if t is NULL. Panels of B are panel bytes apart. With
 * next, lines is a multiple of STRIPS.
 */
ISK_INLINE void multiply(float *out, size_t ldout, const float *t, size_t ldt, const float *a,
                         const unsigned char *b, size_t panel, size_t lines, const struct ahead *next,
                         const int rows, const int panels, const enum isk_b type)
{
	const int vectors = panels * PANEL / VL, steps = b_vectors(type);
	/* From the last lines on, the next panels are what lies ahead. */
	const size_t turn = (size_t)panels * panel - lines * ISK_PACKED_LINE;
	size_t ahead = AHEAD + (lines < AHEAD / ISK_PACKED_LINE ? turn : 0);
	vf acc[FLAT][WIDTH];

#pragma GCC unroll 28
	for (int r = 0; r < rows; r++)
#pragma GCC unroll 16
		for (int v = 0; v < vectors; v++)
			acc[r][v] = t ? vf_load(t + (size_t)r * ldt + v * VL) : vf_set1(0);
	if (next) {
		const char *next_a = next->a, *from = next->from;
		const float *next_c = next->c;
		float *to = next->to;

		for (size_t strip = 0; strip < STRIPS; strip++) {
#pragma GCC unroll 4
			for (int p = 0; p < panels; p++) {
				__builtin_prefetch(next_a + 128 * p);
				__builtin_prefetch(next_a + 128 * p + 64);
				__builtin_prefetch(next_c + PANEL * p, 1);
			}
			next_a += next->lda;
			next_c += next->ldc;
			for (size_t i = lines / STRIPS; i; i--, a += steps, b += ISK_PACKED_LINE) {
				if (strip < next->rows)
#pragma GCC unroll 4
					for (int s = 0; s < steps; s++)
#pragma GCC unroll 2
						for (int v = 0; v < PANEL; v += VL, from += 4 * VL, to += VL)
							vf_store(to, vf_load((const float *)(const void *)from));
				if ((STRIPS - strip - 1) * (lines / STRIPS) + i == AHEAD / ISK_PACKED_LINE)
					ahead += turn;
				multiply_line(acc, a, copy_stride((size_t)rows), b, panel, ahead, rows, panels, type);
			}
			from += next->lda - DEPTH * 4;
			to += copy_stride((size_t)rows) - DEPTH;
		}
	} else {
		for (; lines; lines--, a += steps, b += ISK_PACKED_LINE) {
			if (lines == AHEAD / ISK_PACKED_LINE)
				ahead += turn;
			multiply_line(acc, a, copy_stride((size_t)rows), b, panel, ahead, rows, panels, type);
		}
	}
#pragma GCC unroll 28
	for (int r = 0; r < rows; r++)
#pragma GCC unroll 16
		for (int v = 0; v < vectors; v++)
			vf_store(out + (size_t)r * ldout + v * VL, acc[r][v]);
}

/*
 * The same for numbers of rows and panels that the compiler does not know: TILE
 * or one panel, or WIDE_PANELS for few rows.
 */
typedef void tile_fn(float *out, size_t ldout, const float *t, size_t ldt, const float *a,
                     const unsigned char *b, size_t panel, size_t lines, const struct ahead *next,
                     size_t rows, size_t panels);

#define TILE_CASE(r, most, count, type)                                        \
	case r:                                                                    \
		if ((r) <= (most))                                                     \
			multiply(out, ldout, t, ldt, a, b, panel, lines, NULL, (r) <= (most) ? (r) : 1, count, type); \
		break;
#define NEXT_CASE(r, count, type)                                              \
	case r:                                                                    \
		multiply(out, ldout, t, ldt, a, b, panel, lines, next, r, count, type); \
		break;
#define DEFINE_TILE(name, type)                                                \
	static void name(float *out, size_t ldout, const float *t, size_t ldt, const float *a, \
	                 const unsigned char *b, size_t panel, size_t lines, const struct ahead *next, \
	                 size_t rows, size_t panels)                               \
	{                                                                          \
		if (next) {                                                            \
			switch (rows) {                                                    \
				NEXT_CASE(ROWS - 1, TILE / PANEL, type)                        \
				NEXT_CASE(ROWS, TILE / PANEL, type)                            \
			}                                                                  \
		} else if (panels == WIDE_PANELS) {                                    \
			switch (rows) {                                                    \
				UP_TO_6(TILE_CASE, wide_rows(type), WIDE_PANELS, type)         \
			}                                                                  \
		} else if (panels > 1) {                                               \
			switch (rows) {                                                    \
				UP_TO_14(TILE_CASE, ROWS, TILE / PANEL, type)                  \
			}                                                                  \
		} else {                                                               \
			switch (rows) {                                                    \
				UP_TO_28(TILE_CASE, FLAT, 1, type)                             \
			}                                                                  \
		}                                                                      \
	}

/* t += scale * part, or from 0 if t is NULL: a group of k with its scales, of which n are there. */
ISK_INLINE void add_group(float *out, size_t ldout, const float *t, size_t ldt, const float *part,
                          size_t ldpart, const float *scale, size_t rows, size_t n)
{
	for (size_t j = 0; j < n; j += VL) {
		const vf s = vf_load_upto(scale + j, n - j);

		for (size_t i = 0; i < rows; i++)
			vf_store(out + i * ldout + j, vf_fma(vf_load(part + i * ldpart + j), s,
			                                     t ? vf_load(t + i * ldt + j) : vf_set1(0)));
	}
}

/* A tile whose B has scales for groups of k; at is the first k, of n columns from col on. */
ISK_INLINE void multiply_groups(float *out, size_t ldout, const float *t, size_t ldt, const float *a,
                                const unsigned char *b, size_t panel, size_t at, size_t k, size_t rows,
                                size_t panels, size_t col, size_t n, const struct isk_post *post,
                                tile_fn *tile, const enum isk_b type)
{
	float part[FLAT * PANEL]; /* ROWS * TILE is no more, nor are wide tiles */
	const size_t width = panels * PANEL, per_line = b_group(type);

	for (size_t i = 0; i < k; i += post->group) {
		const size_t size = k - i < post->group ? k - i : post->group;

		tile(part, width, NULL, 0, a + i, b + i / per_line * ISK_PACKED_LINE, panel,
		     (size + per_line - 1) / per_line, NULL, rows, panels);
		add_group(out, ldout, t, ldt, part, width,
		          post->group_scale + (at + i) / post->group * post->ldgroup + col, rows, n);
		t = out;
		ldt = ldout;
	}
}

/* Most rows of the tiles of a block. */
ISK_INLINE size_t block_height(const enum isk_b type)
{
	return b_vectors(type) > 1 ? TALL : ROWS;
}

/* Part of k of a block, whose sums are not those of a single row of tiles. */
ISK_INLINE size_t block_depth(const enum isk_b type)
{
	return type == B_DOT ? 2 * DEPTH : DEPTH; /* a pair of bf16 takes the room of one f32 */
}

/*
 * The part of A that comes after that of the tiles at row i of a block, left rows
 * of tiles before its end, and at of k; or that one again.
 */
ISK_INLINE struct ahead next_part(const struct product *p, size_t row, size_t rows, size_t i, size_t left,
                                  size_t at, size_t depth, size_t most)
{
	const size_t height = tile_height(rows - i, left), deeper = at + depth;
	struct ahead next = {.lda = p->lda * p->a_bytes, .ldc = p->ldc};

	if (left > 1) {
		i += height;
		next.rows = tile_height(rows - i, left - 1);
	} else if (deeper < p->k) {
		i = 0;
		at = deeper;
		next.rows = p->k - at < depth ? 0 : tile_height(rows, (rows + most - 1) / most);
	}
	next.from = (const char *)p->a + ((row + i) * p->lda + at) * p->a_bytes;
	return next;
}

/*
 * One block of C; row and col are its first element, depth the k that is done at
 * once, most the height of its tiles. in_c: sums wait in C; by_tile: there or
 * nowhere, so that the stack holds only those of a tile that is not all of C.
 */
ISK_INLINE void block(const struct product *p, size_t row, size_t col, size_t rows, size_t cols, size_t depth,
                      size_t most, const int in_c, const int by_tile, fetch_fn *fetch, tile_fn *tile,
                      finish_fn *finish, const enum isk_b b_type, const enum isk_c c_type)
{
	const size_t per_line = b_group(b_type), wide = WIDE_PANELS * PANEL;
	const size_t panel = (p->k + per_line - 1) / per_line * ISK_PACKED_LINE;
	const size_t tiles = (rows + most - 1) / most;
	const size_t tile_cols = rows <= wide_rows(b_type) ? wide : TILE;
	const size_t ldsums = by_tile ? tile_cols : isk_packed_panels(cols) * PANEL;
	const int plain = c_type == C_F32 && post_is_plain(p->post);
	float sums[SUMS], copies[COPY], *a = copies;
	size_t at = 0, copied = 0;

	do {
		const size_t k = p->k - at < depth ? p->k - at : depth, lines = (k + per_line - 1) / per_line;
		const int last = at + k == p->k;
		size_t height;

		for (size_t i = 0, left = tiles; left; i += height, left--) {
			struct ahead next = next_part(p, row, rows, i, left, at, depth, most);
			const size_t next_rows = next.rows;
			size_t width;

			height = tile_height(rows - i, left);
			if (!copied)
				fetch(a, copy_stride(height), p, row + i, height, at, k);
			copied = 0;
			for (size_t j = 0; j < cols; j += width) {
				const size_t room = tile_room(height, cols - j, b_type);
				const unsigned char *b =
					p->panels + (col + j) / PANEL * panel + at / per_line * ISK_PACKED_LINE;
				float *c = (float *)p->c + (row + i) * p->ldc + col + j;
				const int whole = cols - j >= room, waits_in_c = in_c && whole;
				float *t = waits_in_c ? c : sums + i * ldsums + (by_tile ? 0 : j);
				const size_t ldt = waits_in_c ? p->ldc : ldsums;
				const int straight = last && plain && whole;
				float *out = straight ? c : t;
				const size_t ldout = straight ? p->ldc : ldt;
				const int looks_ahead =
					p->a_bytes && k == block_depth(b_type) && height >= ROWS - 1 && room == TILE;

				width = whole ? room : cols - j;
				if (last)
					fetch_other(p->post, row + i, col + j, height, width, c_type);
				if (looks_ahead) {
					const int ends = cols - j < 2 * TILE;

					next.a = next.from + 2 * j * sizeof(float) % (DEPTH * sizeof(float));
					next.c = !in_c ? t : !ends ? c + TILE : left > 1 ? c - j + height * p->ldc : c;
					next.to = a == copies ? copies + SECOND : copies;
					next.rows = ends && next_rows >= ROWS - 1 ? next_rows : 0;
					copied = next.rows;
				}
				if (b_type == B_S8 && p->post->group && k)
					multiply_groups(out, ldout, at ? t : NULL, ldt, a, b, panel, at, k, height,
					                room / PANEL, col + j, width, p->post, tile, b_type);
				else
					tile(out, ldout, at ? t : NULL, ldt, a, b, panel, lines, looks_ahead ? &next : NULL,
					     height, room / PANEL);
				if (last && !straight)
					finish(p->c, p->ldc, t, ldt, row + i, col + j, height, width, p->post);
			}
			if (copied)
				a = next.to;
		}
		at += k;
	} while (at < p->k);
}

/* All of C. */
ISK_INLINE void product(const struct product *p, size_t m, fetch_fn *fetch, tile_fn *tile, finish_fn *finish,
                        const enum isk_b b_type, const enum isk_c c_type)
{
	const int in_c = c_type == C_F32 && (p->post->binary == ISK_BINARY_NONE || p->post->other != p->c);
	/* vdpbf16ps wants two panels: one wide, 16 rows are a fifth slower (Zen 4). */
	const size_t most_flat = b_type == B_DOT ? ROWS : FLAT;
	const int flat = m <= most_flat;
	const size_t depth = flat && m ? copy_depth(m) * (b_type == B_DOT ? 2 : 1) : block_depth(b_type);
	const int by_tile = in_c || p->k <= depth;
	const size_t most_rows = flat ? most_flat : by_tile ? BLOCK_ROWS : SUMS_ROWS;
	const size_t most_cols = flat ? FLAT_COLS : by_tile ? BLOCK_COLS : SUMS_COLS;
	size_t rows;

	/* All rows first: so what some columns take of B may stay in a cache. */
	for (size_t j = 0; m && j < p->n; j += most_cols)
		for (size_t i = 0, left = (m + most_rows - 1) / most_rows; left; i += rows, left--) {
			rows = tile_height(m - i, left);
			block(p, i, j, rows, p->n - j < most_cols ? p->n - j : most_cols, depth,
			      flat ? most_flat : block_height(b_type), in_c, by_tile, fetch, tile, finish, b_type, c_type);
		}
}

/* An amx_emit_fn. */
#define DEFINE_EMIT(name, finish)                                              \
	static void name(const struct product *p, int32_t *t, size_t ldt, const int32_t *row_sums, size_t row, \
	                 size_t col, size_t rows, size_t cols)                     \
	{                                                                          \
		(void)row_sums;                                                        \
		finish(p->c, p->ldc, (const float *)t, ldt, row, col, rows, cols, p->post); \
	}

/*
 * Rows of A that are rows in memory; LOAD(x, n) gives the first VL of the n
 * elements at x.
 */
#define FETCH_ROWS(type, LOAD)                                                 \
	for (; rows; rows--, to += stride, row++) {                                \
		const type *x = (const type *)p->a + row * p->lda + at;                \
                                                                               \
		for (size_t i = 0; i < k; i += VL)                                     \
			vf_store(to + i, LOAD(x + i, k - i));                              \
	}

static inline void fetch_f32(float *to, size_t stride, const struct product *p, size_t row, size_t rows,
                             size_t at, size_t k)
{
	FETCH_ROWS(float, vf_load_upto)
}

#endif
