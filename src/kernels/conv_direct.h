/* SPDX-License-Identifier: MIT */
/*
 * Convolutions whose tiles read the image where it is: nothing is copied, and the
 * taps outside the image are not multiplied, which are a tenth of those of 3 by 3
 * on 14 by 14 pixels. The elements of x are f32, or pairs of bf16 or four u8 that
 * stay what they are: then all sizes are in pairs, or in fours.
 *
 * The rows of a tile are output pixels a constant apart in the image: next to
 * each other, one above the other, or in the same place of one image after the
 * other. Those of a tile have the same taps in the image. So y is cut into
 * rectangles where that is the same for all: one in the middle, the rest at edges
 * and corners. A tile goes through all of k, and its sums never wait in memory.
 */
#ifndef ISK_CONV_DIRECT_H
#define ISK_CONV_DIRECT_H

#include "conv_patch.h"
#include "gemm_line.h"
#include "gemm_post.h"

/* Bytes of panels that a part of the columns of y takes, to be found in the second-level cache. */
#define PART_BYTES (384 << 10)

/*
 * Rows of a tile that are a multiple of the size of a way of the first-level cache
 * apart are all in one set: they must be fewer than its ways, which are 8.
 */
#define WAY_BYTES 4096
#define WAY_ROWS  (ROWS < 7 ? ROWS : 7)

/*
 * A short line stays one tile, though some of its pixels lack some taps: without
 * its ends it would be too few rows to make the most of B. Sums then go through
 * memory, which so many additions make up for.
 */
#define LINE_PLACES   (ROWS * 2 / 3)
#define LINE_CHANNELS 64

/* What a tile multiplies: taps of the kernel, all in the image, and where the next ones are. */
struct taps {
	size_t height, width, lines; /* lines: of k that are side by side in the image as in B */
	size_t tap, row;             /* elements of x to the next tap, and from the last of a row of them */
	size_t skip;                 /* bytes of B there */
};

/*
 * rows by panels of C (out, ldout), or what is added to it. Rows of the image are
 * lda apart, panels of B panel bytes.
 */
ISK_INLINE void multiply_taps(float *out, size_t ldout, int add, const float *a, size_t lda,
                              const unsigned char *b, size_t panel, const struct taps *taps, const int rows,
                              const int panels, const enum isk_b type)
{
	const int vectors = panels * PANEL / VL;
	vf acc[FLAT][WIDTH];

#pragma GCC unroll 14
	for (int r = 0; r < rows; r++)
#pragma GCC unroll 16
		for (int v = 0; v < vectors; v++)
			acc[r][v] = add ? vf_load(out + (size_t)r * ldout + v * VL) : vf_set1(0);
	for (size_t u = taps->height; u; u--, a += taps->row, b += taps->skip)
		for (size_t v = taps->width; v; v--, a += taps->tap)
			for (size_t i = taps->lines; i; i--, a++, b += ISK_PACKED_LINE)
				multiply_line(acc, a, lda, b, panel, AHEAD, rows, panels, type);
#pragma GCC unroll 14
	for (int r = 0; r < rows; r++)
#pragma GCC unroll 16
		for (int v = 0; v < vectors; v++)
			vf_store(out + (size_t)r * ldout + v * VL, acc[r][v]);
}

/* The same for numbers of rows and panels that the compiler does not know. */
typedef void taps_fn(float *out, size_t ldout, int add, const float *a, size_t lda, const unsigned char *b,
                     size_t panel, const struct taps *taps, size_t rows, size_t panels);

#define TAPS_CASE(r, most, count, type)                                        \
	case r:                                                                    \
		if ((r) <= (most))                                                     \
			multiply_taps(out, ldout, add, a, lda, b, panel, taps, (r) <= (most) ? (r) : 1, count, type); \
		break;

#define DEFINE_TAPS(name, type)                                                \
	static void name(float *out, size_t ldout, int add, const float *a, size_t lda, const unsigned char *b, \
	                 size_t panel, const struct taps *taps, size_t rows, size_t panels) \
	{                                                                          \
		if (panels == WIDE_PANELS) {                                           \
			switch (rows) {                                                    \
				UP_TO_6(TAPS_CASE, wide_rows(type), WIDE_PANELS, type)         \
			}                                                                  \
		} else if (panels > 1) {                                               \
			switch (rows) {                                                    \
				UP_TO_14(TAPS_CASE, ROWS, TILE / PANEL, type)                  \
			}                                                                  \
		} else {                                                               \
			switch (rows) {                                                    \
				UP_TO_14(TAPS_CASE, ROWS, 1, type)                             \
			}                                                                  \
		}                                                                      \
	}

/* One side of an image and of what moves along it. */
struct axis {
	size_t size, before, taps, stride, dilation, places;
};

/* Taps from first to before end. */
struct span {
	size_t first, end;
};

/* Those in the image where the kernel is at this place. */
static inline struct span span_at(const struct axis *x, size_t place)
{
	const size_t at = place * x->stride, before = at < x->before ? x->before - at : 0;
	const size_t end = at < x->before + x->size ? x->before + x->size - at : 0;
	struct span s = {before / x->dilation + (before % x->dilation != 0),
	                 end / x->dilation + (end % x->dilation != 0)};

	s.first = s.first < x->taps ? s.first : x->taps;
	s.end = s.end < x->taps ? s.end : x->taps;
	return s;
}

/* Places from this one on that have the same taps, s, in the image; those that have all are not looked at. */
static inline size_t same_span(const struct axis *x, size_t place, struct span s)
{
	const size_t most = x->places - place;
	size_t n = 1;

	if (s.first == 0 && s.end == x->taps) {
		n = (x->before + x->size - 1 - (x->taps - 1) * x->dilation) / x->stride + 1 - place;
		return n < most ? n : most;
	}
	for (; n < most; n++) {
		const struct span next = span_at(x, place + n);

		if (next.first != s.first || next.end != s.end)
			break;
	}
	return n;
}

/* A way to go through pixels: how many, and from one to the next in x (elements) and in y (pixels). */
struct way {
	size_t count, x, y;
};

ISK_INLINE size_t way_rows(size_t lda)
{
	return lda * sizeof(float) % WAY_BYTES ? ROWS : WAY_ROWS;
}

/* The sizes of a convolution in elements of x, or pairs or fours of them. */
struct units {
	size_t channels, ldx, k; /* channels: of a group */
};

/* What the pixels of a rectangle are multiplied by: some columns of one group. */
struct direct {
	const struct group *group;
	struct units units;
	taps_fn *tile;
	finish_fn *finish;
	enum isk_c c_type;
	int plain; /* sums are what is stored */
	size_t col, cols;
	struct span u, v;
	struct taps taps; /* those of u and v, */
	size_t first;     /* elements from the first of a pixel to that of the first of them, */
	size_t line;      /* and their first line of B */
	const struct span *spans; /* of a line that is one tile: the v of each of its pixels; else NULL */
};

static inline struct taps taps_in(const struct direct *d, struct span u, struct span v)
{
	const struct isk_conv *c = d->group->a.conv;
	const size_t channels = d->units.channels, ldx = d->units.ldx;
	struct taps t = {.height = u.end - u.first, .width = v.end - v.first, .lines = channels};
	/* What there is only one of has no next one, however far it would be. */
	const size_t tap = t.width > 1 ? c->dilation_w * ldx : channels;
	const size_t row = t.height > 1 ? c->dilation_h * c->width * ldx : t.width * tap;

	t.row = row - t.width * tap;
	t.skip = (c->kernel_w - t.width) * channels * ISK_PACKED_LINE;
	if (tap == channels) {
		t.lines *= t.width;
		t.width = 1;
	} else {
		t.tap = tap - channels;
	}
	return t;
}

/* The pixels of y that have a tap, from first to before end, of n that are side by side. */
static inline struct span places_with(const struct span *spans, size_t n, size_t tap)
{
	struct span s = {0, 0};

	while (s.first < n && spans[s.first].first > tap)
		s.first++;
	for (s.end = s.first; s.end < n && spans[s.end].end > tap; s.end++)
		;
	return s;
}

/*
 * The element of x under tap (0, 0) of a pixel of y, and from there to another
 * one: modulo 2^64, so that what lies before the image is no exception.
 */
static inline size_t first_element(const struct direct *d, size_t pixel)
{
	const struct isk_conv *c = d->group->a.conv;
	const struct isk_conv_sizes *s = d->group->a.s;
	const size_t line = pixel / s->out_width, image = line / s->out_height;
	const size_t row = line % s->out_height * c->stride_h - c->pad_top;
	const size_t place = pixel % s->out_width * c->stride_w - c->pad_left;

	return ((image * c->height + row) * c->width + place) * d->units.ldx;
}

static inline size_t to_tap(const struct direct *d, size_t u, size_t v)
{
	const struct isk_conv *c = d->group->a.conv;

	return (u * c->dilation_h * c->width + v * c->dilation_w) * d->units.ldx;
}

/* The line of B that the first channel of a tap starts with. */
static inline size_t line_of(const struct direct *d, size_t u, size_t v)
{
	return (u * d->group->a.conv->kernel_w + v) * d->units.channels;
}

/* A tile of the panels from b on whose pixels have the same taps; at is under tap (0, 0) of the first. */
static inline void tile_at(const struct direct *d, float *out, size_t ldout, size_t at,
                           const unsigned char *b, size_t lda, size_t rows, size_t panels)
{
	const float *x = d->group->a.x;

	if (d->taps.height && d->taps.width)
		x += at + d->first;
	d->tile(out, ldout, 0, x, lda, b + d->line * ISK_PACKED_LINE, d->units.k * ISK_PACKED_LINE, &d->taps,
	        rows, panels);
}

/*
 * A line of y whose pixels have not: tap by tap, for the pixels that have it, but
 * neighbours that the same pixels have at once.
 */
static inline void tile_line(const struct direct *d, float *out, size_t ldout, size_t at,
                             const unsigned char *b, size_t lda, size_t rows, size_t panels)
{
	const size_t kernel_w = d->group->a.conv->kernel_w;

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < panels * PANEL; j += VL)
			vf_store(out + i * ldout + j, vf_set1(0));
	for (size_t u = d->u.first; u < d->u.end; u++) {
		struct span v, places, next = places_with(d->spans, rows, 0);

		for (v.first = 0; v.first < kernel_w; v.first = v.end) {
			struct taps taps;

			places = next;
			for (v.end = v.first + 1; v.end < kernel_w; v.end++) {
				next = places_with(d->spans, rows, v.end);
				if (next.first != places.first || next.end != places.end)
					break;
			}
			if (places.first == places.end)
				continue;
			taps = taps_in(d, (struct span){u, u + 1}, v);
			d->tile(out + places.first * ldout, ldout, 1,
			        (const float *)d->group->a.x + (at + places.first * lda + to_tap(d, u, v.first)), lda,
			        b + line_of(d, u, v.first) * ISK_PACKED_LINE, d->units.k * ISK_PACKED_LINE, &taps,
			        places.end - places.first, panels);
		}
	}
}

/* One row of tiles, from a pixel of y on. */
ISK_INLINE void row_of_tiles(const struct direct *d, size_t pixel, const struct way *way)
{
	const struct isk_conv_sizes *s = d->group->a.s;
	const size_t bytes = c_bytes(d->c_type), ldc = way->y * s->ldy;
	const size_t most = way_rows(way->x);
	char *const c = (char *)d->group->y + pixel * s->ldy * bytes;
	const size_t at = first_element(d, pixel);
	struct isk_post post = d->group->post;
	float sums[FLAT * PANEL]; /* ROWS * TILE is no more, nor are wide tiles */
	size_t rows;

	if (post.binary) {
		post.other = (const char *)post.other + pixel * post.ldother * bytes;
		post.ldother *= way->y;
	}
	for (size_t i = 0, left = (way->count + most - 1) / most; left; i += rows, left--) {
		size_t width;

		rows = tile_height(way->count - i, left);
		for (size_t j = d->col, end = d->col + d->cols; j < end; j += width) {
			const size_t room = tile_room(rows, end - j, B_F32); /* of all types here */
			const int straight = d->plain && end - j >= room;
			const unsigned char *b = d->group->panels + j / PANEL * d->units.k * ISK_PACKED_LINE;
			float *out = straight ? (float *)(void *)c + i * ldc + j : sums;
			const size_t ldout = straight ? ldc : room;

			width = end - j < room ? end - j : room;
			fetch_other(&post, i, j, rows, width, d->c_type);
			fetch_rows(c + (i * ldc + j) * bytes, ldc * bytes, rows, width * bytes, 1);
			if (d->spans)
				tile_line(d, out, ldout, at, b, way->x, rows, room / PANEL);
			else
				tile_at(d, out, ldout, at + i * way->x, b, way->x, rows, room / PANEL);
			if (!straight)
				d->finish(c, ldc, sums, room, i, j, rows, width, &post);
		}
	}
}

/* All pixels of a rectangle, of all images; the way that makes the fewest tiles becomes rows of them. */
static inline void rectangle(const struct direct *d, size_t pixel, size_t lines, size_t places)
{
	const struct isk_conv *c = d->group->a.conv;
	const struct isk_conv_sizes *s = d->group->a.s;
	const size_t ldx = d->units.ldx;
	const struct way ways[] = {
		{places, places > 1 ? c->stride_w * ldx : 0, 1},
		{lines, lines > 1 ? c->stride_h * c->width * ldx : 0, s->out_width},
		{c->images, c->images > 1 ? c->height * c->width * ldx : 0, s->out_height * s->out_width},
	};
	size_t least = SIZE_MAX, best = 0;

	for (size_t w = 0; w < (d->spans ? 1 : 3); w++) {
		const size_t most = way_rows(ways[w].x), others = ways[(w + 1) % 3].count * ways[(w + 2) % 3].count;
		const size_t tiles = (ways[w].count + most - 1) / most * others;

		if (tiles < least) {
			least = tiles;
			best = w;
		}
	}
	for (size_t i = 0; i < ways[(best + 2) % 3].count; i++)
		for (size_t j = 0; j < ways[(best + 1) % 3].count; j++)
			row_of_tiles(d, pixel + i * ways[(best + 2) % 3].y + j * ways[(best + 1) % 3].y, &ways[best]);
}

/* Some columns of the y of a group; d lacks its taps. */
static inline void direct(struct direct d)
{
	const struct isk_conv *c = d.group->a.conv;
	const struct isk_conv_sizes *s = d.group->a.s;
	const struct axis down = {c->height, c->pad_top, c->kernel_h, c->stride_h, c->dilation_h, s->out_height};
	const struct axis along = {c->width, c->pad_left, c->kernel_w, c->stride_w, c->dilation_w, s->out_width};
	struct span spans[LINE_PLACES];
	size_t lines, places;

	if (s->out_width <= LINE_PLACES && s->out_width <= way_rows(c->stride_w * d.units.ldx)
	    && d.units.channels >= LINE_CHANNELS && same_span(&along, 0, span_at(&along, 0)) < s->out_width) {
		for (size_t i = 0; i < s->out_width; i++)
			spans[i] = span_at(&along, i);
		d.spans = spans;
	}
	for (size_t line = 0; line < s->out_height; line += lines) {
		d.u = span_at(&down, line);
		lines = same_span(&down, line, d.u);
		for (size_t place = 0; place < s->out_width; place += places) {
			d.v = span_at(&along, place);
			places = d.spans ? s->out_width : same_span(&along, place, d.v);
			d.taps = taps_in(&d, d.u, d.v);
			d.first = to_tap(&d, d.u.first, d.v.first);
			d.line = line_of(&d, d.u.first, d.v.first);
			rectangle(&d, line * s->out_width + place, lines, places);
		}
	}
}

/* Whether all taps begin with a whole element of 4 bytes, of which each holds unit of x. */
static inline int fits_in_place(const struct call *call, size_t unit)
{
	return call->conv->channels / call->conv->groups % unit == 0 && call->s->ldx % unit == 0
	       && (uintptr_t)call->x % 4 == 0;
}

/* All of y; unit is 1, or 2 for pairs, or 4. */
ISK_INLINE void conv_direct(const struct call *call, taps_fn *tile, finish_fn *finish, const size_t unit,
                            const enum isk_type x_type, const enum isk_c y_type)
{
	const struct isk_conv *c = call->conv;
	const struct isk_conv_sizes *s = call->s;
	const struct units units = {c->channels / c->groups / unit, s->ldx / unit, s->k / unit};
	/* Panels of a part: whole tiles, wide ones if they fit. */
	const size_t step = units.k * ISK_PACKED_LINE, fit = step ? PART_BYTES / step : s->columns;
	const size_t whole = fit < WIDE_PANELS ? TILE / PANEL : WIDE_PANELS;
	const size_t part = (fit < whole ? whole : fit / whole * whole) * PANEL;
	const int plain = y_type == (x_type == ISK_S8 ? C_S32 : C_F32) && post_is_plain(call->post);

	for (size_t g = 0; g < c->groups; g++) {
		const struct group group = group_of(call, g, x_type, y_type);

		for (size_t col = 0; col < s->columns; col += part)
			direct((struct direct){
				.group = &group,
				.units = units,
				.tile = tile,
				.finish = finish,
				.c_type = y_type,
				.plain = plain,
				.col = col,
				.cols = s->columns - col < part ? s->columns - col : part,
			});
	}
}

#endif
