/* SPDX-License-Identifier: MIT */
/*
 * Products of patches and weights on AMX tiles, in the blocks of gemm_amx.h and
 * in its order: steps of 64 bytes of k. What a block multiplies is copied, a part
 * of k at a time, for as many columns as the stack has sums for: they wait there
 * from one part to the next, as exactly as in tiles.
 *
 * Patches of neighbours overlap. Where the taps of a row are whole steps, lines of
 * x are copied instead, with what is outside of it, and a tile reads its rows a
 * stride apart: kernel_w / stride_w times fewer bytes, but for the ends of lines,
 * and a quarter of the time for 3 by 3 (Zen 4: 30 to 60 cycles a step of 32 rows,
 * patches 110 to 230, where the products of 64 columns take 128). Several short
 * lines follow one another; between them are rows of tiles that belong to no
 * pixel, which nobody looks at.
 */
#ifndef ISK_CONV_AMX_H
#define ISK_CONV_AMX_H

#include "conv_patch.h"
#include "gemm_amx.h"

/* Bytes of k of a copied patch: an odd number of lines, so that no rows meet in one set of a cache. */
#define AMX_PART 704

/* Sums of a block that wait: 256 columns, 512 for one tile of A. */
#define AMX_STRIPS 8

/* Lines are worth it if a block has so many pixels: no more than a quarter of its rows is for nothing. */
#define AMX_LEAST_PIXELS (AMX_BLOCK * 3 / 4)

struct amx_copy {
	int32_t sums[AMX_STRIPS][AMX_STRIP];
	unsigned char a[AMX_BLOCK * AMX_PART + ISK_AMX_BYTES];
};

_Static_assert(AMX_PART / ISK_AMX_BYTES % 2 == 1 && AMX_PART % ISK_AMX_BYTES == 0, "see above");
_Static_assert(sizeof(struct amx_copy) <= 56 << 10, "the stack of a call is 64 KiB");

/* How the pixels of y become blocks, and k becomes parts. */
struct amx_way {
	size_t lines, places; /* of y in a block; places 0: pixels, in their order, and patches */
	size_t apart;         /* rows of tiles from one line to the next */
	size_t run, part;     /* bytes of k: a row of taps, and some of them; patches: a part, both */
	size_t lda, strip;    /* bytes from one row of a tile to the next, and from one run to the next */
};

/* The pixels of a block: from one on, or places of some lines from this one on. */
struct amx_pixels {
	size_t first, rows;
	size_t lines, places, image, line, place;
};

ISK_INLINE struct amx_way amx_way_of(const struct amx_job *g, const size_t bytes_of)
{
	const struct patches *a = g->p->a;
	const struct isk_conv *c = a->conv;
	const size_t width = a->s->out_width, pieces = (width + AMX_BLOCK - 1) / AMX_BLOCK;
	const size_t pixel = c->channels / c->groups * bytes_of, run = c->kernel_w * pixel;
	const size_t steps = (g->bytes + ISK_AMX_BYTES - 1) / ISK_AMX_BYTES, most = AMX_PART / ISK_AMX_BYTES;
	const size_t parts = (steps + most - 1) / most;
	const size_t part = parts ? (steps + parts - 1) / parts * ISK_AMX_BYTES : 0;
	const struct amx_way patches = {.lines = 1, .run = part, .part = part, .lda = AMX_PART};
	struct amx_way way = {.lda = c->stride_w * pixel, .run = run};
	size_t copied, runs, times;

	/* Of no columns k may be of any size. */
	if (!g->bytes || !g->p->n || !pieces || c->dilation_w > 1 || c->kernel_w <= c->stride_w
	    || run % ISK_AMX_BYTES)
		return patches;
	way.places = (width + pieces - 1) / pieces;
	copied = (way.places - 1) * c->stride_w + c->kernel_w;
	way.apart = (copied + c->stride_w - 1) / c->stride_w;
	way.lines = pieces > 1 ? 1 : (AMX_BLOCK - way.places) / way.apart + 1;
	way.strip = ((way.lines - 1) * way.apart + way.places - 1) * way.lda + run;
	runs = AMX_BLOCK * AMX_PART / way.strip;
	if (way.lines * way.places < AMX_LEAST_PIXELS || !runs)
		return patches;
	times = (c->kernel_h + runs - 1) / runs;
	way.part = (c->kernel_h + times - 1) / times * run;
	return way;
}

/* So many bytes, of memory or of one vector; less than a vector is written after them. */
ISK_INLINE unsigned char *copy_run(unsigned char *to, const unsigned char *from, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += 4 * VL)
		vi_store((int32_t *)(void *)(to + i), vi_load_bytes(from + i, bytes - i));
	return to + bytes;
}

ISK_INLINE unsigned char *fill_run(unsigned char *to, vi with, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += 4 * VL)
		vi_store((int32_t *)(void *)(to + i), with);
	return to + bytes;
}

/*
 * What so many rows of taps, from row u on, need of x for these pixels. A row or a
 * column before the image is, like one after it, not below its size.
 */
ISK_INLINE void copy_lines(unsigned char *to, const struct patches *a, const struct amx_way *way,
                           const struct amx_pixels *y, size_t u, size_t runs, vi outside,
                           const size_t bytes_of)
{
	const struct isk_conv *c = a->conv;
	const size_t ldx = a->s->ldx, channels = c->channels / c->groups, bytes = channels * bytes_of;

	for (; runs; runs--, u++, to += way->strip) {
		unsigned char *out = to;

		for (size_t i = 0; i < y->lines; i++) {
			const size_t row = (y->line + i) * c->stride_h + u * c->dilation_h - c->pad_top;
			size_t col = y->place * c->stride_w - c->pad_left, n;
			size_t left = i + 1 < y->lines ? way->apart * c->stride_w
			                               : (y->places - 1) * c->stride_w + c->kernel_w;

			for (; left; left -= n, col += n) {
				const int there = row < c->height && col < c->width;
				/* Up to where the line of the image ends, or begins if it has not yet. */
				const size_t edge = there ? c->width - col : row < c->height && col ? 0 - col : left;
				const unsigned char *x = a->x;

				n = edge < left ? edge : left;
				if (there)
					x += ((y->image * c->height + row) * c->width + col) * ldx * bytes_of;
				if (!there)
					out = fill_run(out, outside, n * bytes);
				else if (ldx == channels)
					out = copy_run(out, x, n * bytes);
				else
					for (size_t j = 0; j < n; j++, x += ldx * bytes_of)
						out = copy_run(out, x, bytes);
			}
		}
	}
}

/* Columns from col to end of a block. */
ISK_INLINE void amx_block(const struct amx_job *g, const struct amx_way *way, const struct amx_pixels *y,
                          struct amx_copy *copy, vi outside, size_t col, size_t end, const int straight,
                          const int sum_rows, amx_emit_fn *emit, const int two, const enum amx_kind kind)
{
	const struct product *p = g->p;
	const struct patches *patches = p->a;
	const size_t most = (two ? AMX_PANELS / 2 : AMX_PANELS) * ISK_PACKED_PANEL;
	const size_t upper = two ? (y->rows + 1) / 2 : y->rows, bytes_of = kind == AMX_BF16 ? 2 : 1;
	int32_t row_sums[AMX_BLOCK] = {0};
	size_t at = 0, bytes;

	do {
		const size_t run = g->bytes - at < way->run ? g->bytes - at : way->run;
		int32_t *t = copy->sums[0];
		size_t cols;

		bytes = g->bytes - at < way->part ? g->bytes - at : way->part;
		if (way->places)
			copy_lines(copy->a, patches, way, y, at / run, bytes / run, outside, bytes_of);
		else
			copy_patches(copy->a, way->lda, patches, y->first, y->rows, at / bytes_of, bytes / bytes_of,
			             outside, bytes_of, ISK_AMX_BYTES);
		for (size_t i = 0; i < bytes && sum_rows; i += run)
			amx_row_sums(row_sums, copy->a + i / run * way->strip, way->lda, run, y->rows, kind);
		for (size_t j = col; j < end; j += cols) {
			const unsigned char *b = p->panels + j / ISK_PACKED_PANEL * g->panel + at * ISK_PACKED_LINE / 4;
			const unsigned char *a = copy->a;
			const int last = at + bytes == g->bytes;
			size_t panels;
			int direct;

			cols = end - j < most ? end - j : most;
			panels = isk_packed_panels(cols);
			direct = last && straight && y->lines == 1 && cols % ISK_PACKED_PANEL == 0;
			if (at)
				amx_load(t, most, upper, panels, two);
			else
				amx_start(g, j, panels, two);
			for (size_t i = 0; i < bytes; i += run, a += way->strip)
				amx_steps(a, way->lda, a + run / ISK_AMX_BYTES * ISK_AMX_BYTES, way->lda, run, upper,
				          b + i * ISK_PACKED_LINE / 4, g->panel, panels, two, kind);
			amx_store(direct ? (int32_t *)p->c + y->first * p->ldc + j : t, direct ? p->ldc : most, upper,
			          panels, two);
			for (size_t i = 0; i < y->lines && last && !direct; i++)
				emit(p, t + i * way->apart * most, most, row_sums + i * way->apart,
				     y->first + i * patches->s->out_width, j, y->places, cols);
			if (way->part < g->bytes)
				t += AMX_STRIP;
		}
		at += bytes;
	} while (at < g->bytes);
}

/* The block that begins with this pixel. */
ISK_INLINE struct amx_pixels amx_pixels_from(const struct amx_way *way, const struct isk_conv_sizes *s,
                                             size_t first, size_t m)
{
	struct amx_pixels y = {.first = first, .lines = 1};

	if (way->places) {
		const size_t line = first / s->out_width;

		y.image = line / s->out_height;
		y.line = line % s->out_height;
		y.place = first % s->out_width;
		y.lines = s->out_height - y.line < way->lines ? s->out_height - y.line : way->lines;
		y.places = s->out_width - y.place < way->places ? s->out_width - y.place : way->places;
		y.rows = (y.lines - 1) * way->apart + y.places;
	} else {
		const size_t blocks = (m - first + AMX_BLOCK - 1) / AMX_BLOCK;

		y.rows = y.places = (m - first + blocks - 1) / blocks;
	}
	return y;
}

/* All of C; the a of the product are patches, and outside is what they have outside of x. */
ISK_INLINE void amx_convolution(const struct amx_job *g, size_t m, vi outside, const int straight,
                                const int sum_rows, amx_emit_fn *emit, const enum amx_kind kind)
{
	const struct isk_conv_sizes *s = ((const struct patches *)g->p->a)->s;
	const struct amx_way way = amx_way_of(g, kind == AMX_BF16 ? 2 : 1);
	/* Lines have rows between them: a few pixels can be more than one tile of A. */
	const int two = m > ISK_AMX_ROWS || way.places;
	const size_t n = g->p->n, held = AMX_STRIPS * (two ? AMX_COLS / 2 : AMX_COLS);
	const size_t most = way.part < g->bytes ? held : amx_columns(g);
	struct amx_copy copy __attribute__((aligned(ISK_AMX_BYTES)));
	struct amx_pixels y;
	size_t configured = 0;

	/* Of no pixels there may be any number of columns. */
	for (size_t col = 0; col < n && m; col += most)
		for (size_t first = 0; first < m; first += y.lines * y.places) {
			const size_t end = n - col < most ? n : col + most;

			y = amx_pixels_from(&way, s, first, m);
			if (y.rows != configured)
				amx_configure(configured = y.rows);
			if (y.rows > ISK_AMX_ROWS)
				amx_block(g, &way, &y, &copy, outside, col, end, straight, sum_rows, emit, 1, kind);
			else
				amx_block(g, &way, &y, &copy, outside, col, end, straight, sum_rows, emit, 0, kind);
		}
	tile_release();
}

#endif
