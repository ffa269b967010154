/* SPDX-License-Identifier: MIT */
/*
 * Convolutions whose micro-kernels read the image where it is: nothing is copied,
 * and the taps outside the image are not multiplied, which are a tenth of those of 3
 * by 3 on 14 by 14 pixels. Words of x are f32, or pairs of bf16 or four u8 that stay
 * what they are; all sizes are in words.
 *
 * The rows of a tile are output pixels a constant apart in the image: next to
 * each other, one above the other, or in the same place of one image after the
 * other. Those of a tile have the same taps in the image. So y is cut into
 * rectangles where that is the same for all: one in the middle, the rest at edges
 * and corners. A tile goes through all of k, and its sums never wait in memory.
 */
#include "conv.h"

conv_direct_fn ISK_FN(conv_direct);
ISK_EXTERN correct_fn ISK_PART(epilogue, correct);

/* Bytes of panels that a part of the columns of y takes, to be found in the second-level cache. */
#define PART_BYTES (384 << 10)

/*
 * Rows of a tile that are a multiple of the size of a way of the first-level cache
 * apart are all in one set: they must be fewer than its ways, which are 8.
 */
#define WAY_BYTES 4096
#define WAY_ROWS  (MR < 7 ? MR : 7)

/*
 * A short line stays one tile, though some of its pixels lack some taps: without
 * its ends it would be too few rows to make the most of B. Sums then go through
 * memory, which so many additions make up for.
 */
#define LINE_PLACES   (MR * 2 / 3)
#define LINE_CHANNELS 64

/* A way to go through pixels: how many, and from one to the next in x (words) and in y (pixels). */
struct way {
	size_t count, x, y;
};

/* What the pixels of a rectangle are multiplied by: some columns of one group. */
struct direct {
	const struct group *group;
	const struct isk_conv *conv;
	const struct isk_conv_sizes *s;
	micro_fn *micro;
	enum operand kind;
	size_t channels, ldx, panel; /* words of a pixel of the group, from pixel to pixel, and bytes of a panel */
	int plain;        /* sums are what is stored */
	size_t col, cols;
	struct span u, v; /* taps in the image, */
	struct taps taps; /* what a tile makes of them, */
	size_t first;     /* words from tap (0, 0) of a pixel to the first of them, */
	size_t line;      /* and their first line of B */
	const struct span *spans; /* of a line that is one tile: the v of each of its pixels; else NULL */
};

/* Rows of a tile; AMX takes 32, and no time to speak of for its loads. */
static size_t most_rows(const struct direct *d, size_t lda)
{
	return is_amx(d->kind) ? AMX_ROWS : lda * sizeof(float) % WAY_BYTES ? MR : WAY_ROWS;
}

static size_t width_of(const struct direct *d, size_t rows, size_t left)
{
	const size_t most = rows > AMX_ROWS / 2 ? 2 * PANEL : 4 * PANEL, panels = (left + PANEL - 1) / PANEL;

	if (!is_amx(d->kind))
		return tile_width(rows, left, WIDE_F32, 0); /* FOURS as well: there are no chains */
	return panels * PANEL < most ? panels * PANEL : most;
}

static struct taps taps_of(const struct direct *d, struct span u, struct span v)
{
	const struct isk_conv *c = d->conv;
	struct taps t = {.height = u.end - u.first, .width = v.end - v.first, .lines = d->channels};
	/* What there is only one of has no next one, however far it would be. */
	const size_t tap = t.width > 1 ? c->dilation_w * d->ldx : d->channels;
	const size_t row = t.height > 1 ? c->dilation_h * c->width * d->ldx : t.width * tap;

	t.row = row - t.width * tap;
	t.skip = (c->kernel_w - t.width) * d->channels * ISK_PACKED_LINE;
	if (tap == d->channels) {
		t.lines *= t.width;
		t.width = 1;
	} else {
		t.tap = tap - d->channels;
	}
	return t;
}

/* The pixels of y that have a tap, of n that are side by side. */
static struct span places_with(const struct span *spans, size_t n, size_t tap)
{
	struct span s = {0, 0};

	while (s.first < n && spans[s.first].first > tap)
		s.first++;
	for (s.end = s.first; s.end < n && spans[s.end].end > tap; s.end++)
		;
	return s;
}

/* The word of x under tap (0, 0) of a pixel of y, and from there to another one, modulo 2^64. */
static size_t first_word(const struct direct *d, size_t pixel)
{
	const struct isk_conv *c = d->conv;
	const size_t line = pixel / d->s->out_width, image = line / d->s->out_height;
	const size_t row = line % d->s->out_height * c->stride_h - c->pad_top;
	const size_t place = pixel % d->s->out_width * c->stride_w - c->pad_left;

	return ((image * c->height + row) * c->width + place) * d->ldx;
}

static size_t to_tap(const struct direct *d, size_t u, size_t v)
{
	return (u * d->conv->dilation_h * d->conv->width + v * d->conv->dilation_w) * d->ldx;
}

/* The line of B that the first channel of a tap starts with. */
static size_t line_of(const struct direct *d, size_t u, size_t v)
{
	return (u * d->conv->kernel_w + v) * d->channels;
}

/*
 * A line of y whose pixels have not the same taps: tap by tap, for the pixels that
 * have it, but neighbours that the same pixels have at once.
 */
static void tile_line(const struct direct *d, struct tile tile, size_t at)
{
	const size_t rows = tile.rows, kernel_w = d->conv->kernel_w;
	const unsigned char *const b = tile.b;
	float *const c = tile.c;
	struct taps taps;

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < tile.panels * PANEL; j += VL)
			vf_store(c + i * tile.ldc + j, vf_set1(0));
	tile.taps = &taps;
	tile.ldt = tile.ldc;
	for (size_t u = d->u.first; u < d->u.end; u++) {
		struct span v, places, next = places_with(d->spans, rows, 0);

		for (v.first = 0; v.first < kernel_w; v.first = v.end) {
			places = next;
			for (v.end = v.first + 1; v.end < kernel_w; v.end++) {
				next = places_with(d->spans, rows, v.end);
				if (next.first != places.first || next.end != places.end)
					break;
			}
			if (places.first == places.end)
				continue;
			taps = taps_of(d, (struct span){u, u + 1}, v);
			tile.t = tile.c = c + places.first * tile.ldc;
			tile.a = (const float *)d->group->x + (at + places.first * tile.lda + to_tap(d, u, v.first));
			tile.b = b + line_of(d, u, v.first) * ISK_PACKED_LINE;
			tile.rows = places.end - places.first;
			d->micro(&tile);
		}
	}
}

/* One row of tiles, from a pixel of y on. */
static void row_of_tiles(const struct direct *d, size_t pixel, const struct way *way)
{
	const struct call *call = d->group->call;
	const size_t bytes = isk_element_bytes(call->y_type), ldc = way->y * d->s->ldy, most = most_rows(d, way->x);
	/* What several micro-kernels add to stays integers until all have. */
	const int converts = has_integers(d->kind) && call->y_type != ISK_S32 && (d->spans || is_amx(d->kind));
	const struct product p = product_of(d->group);
	const size_t at = first_word(d, pixel);
	char *const c = (char *)d->group->y + pixel * d->s->ldy * bytes;
	struct isk_post post = d->group->post;
	float sums[AMX_ROWS * 2 * PANEL]; /* MR * NR is no more, nor are wide tiles */
	size_t rows;

	if (post.binary) {
		post.other = (const char *)post.other + pixel * post.ldother * bytes;
		post.ldother *= way->y;
	}
	for (size_t i = 0, left = (way->count + most - 1) / most; left; i += rows, left--) {
		size_t width;

		rows = tile_height(way->count - i, left);
		for (size_t j = d->col, end = d->col + d->cols; j < end; j += width) {
			const size_t room = width_of(d, rows, end - j);
			const int straight = d->plain && !converts && end - j >= room;
			struct tile tile = {
				.c = straight ? (float *)(void *)c + i * ldc + j : sums,
				.ldc = straight ? ldc : room,
				.as_float = call->y_type != ISK_S32 && !converts,
				.a = d->group->x,
				.lda = way->x,
				.b = d->group->panels + j / PANEL * d->panel,
				.panel = d->panel,
				.taps = &d->taps,
				.rows = rows,
				.panels = room / PANEL,
			};

			width = end - j < room ? end - j : room;
			prefetch_other(&post, i, j, rows, width, bytes);
			prefetch_rows(c + (i * ldc + j) * bytes, ldc * bytes, rows, width * bytes, 1);
			if (d->spans) {
				tile_line(d, tile, at);
			} else {
				if (d->taps.height && d->taps.width)
					tile.a += at + i * way->x + d->first;
				tile.b += d->line * ISK_PACKED_LINE;
				d->micro(&tile);
			}
			if (!straight) {
				const struct epilogue e = {c, ldc, sums, room, i, j, rows, width, &post};

				if (converts)
					ISK_PART(epilogue, correct)(&e, &p, NULL, 1);
				call->epilogue(&e);
			}
		}
	}
}

/* All pixels of a rectangle, of all images; the way that makes the fewest tiles becomes rows of them. */
static void rectangle(const struct direct *d, size_t pixel, size_t lines, size_t places)
{
	const struct isk_conv *c = d->conv;
	const struct way ways[] = {
		{places, places > 1 ? c->stride_w * d->ldx : 0, 1},
		{lines, lines > 1 ? c->stride_h * c->width * d->ldx : 0, d->s->out_width},
		{c->images, c->images > 1 ? c->height * c->width * d->ldx : 0, d->s->out_height * d->s->out_width},
	};
	const struct way *first, *second;
	size_t least = SIZE_MAX, best = 0;

	for (size_t w = 0; w < (d->spans ? 1 : 3); w++) {
		const size_t most = most_rows(d, ways[w].x), others = ways[(w + 1) % 3].count * ways[(w + 2) % 3].count;
		const size_t tiles = (ways[w].count + most - 1) / most * others;

		if (tiles < least) {
			least = tiles;
			best = w;
		}
	}
	first = &ways[(best + 2) % 3];
	second = &ways[(best + 1) % 3];
	for (size_t i = 0; i < first->count; i++)
		for (size_t j = 0; j < second->count; j++)
			row_of_tiles(d, pixel + i * first->y + j * second->y, &ways[best]);
}

/* Some columns of the y of a group; d lacks its taps. */
static void direct(struct direct d)
{
	const struct axis down = axis_down(d.conv, d.s), along = axis_along(d.conv, d.s);
	struct span spans[LINE_PLACES];
	size_t lines, places;

	if (along.places <= LINE_PLACES && along.places <= most_rows(&d, along.stride * d.ldx)
	    && d.channels >= LINE_CHANNELS && same_taps(&along, 0) < along.places) {
		for (size_t i = 0; i < along.places; i++)
			spans[i] = taps_inside(&along, i);
		d.spans = spans;
	}
	for (size_t line = 0; line < down.places; line += lines) {
		d.u = taps_inside(&down, line);
		lines = same_taps(&down, line);
		for (size_t place = 0; place < along.places; place += places) {
			d.v = taps_inside(&along, place);
			places = d.spans ? along.places : same_taps(&along, place);
			d.taps = taps_of(&d, d.u, d.v);
			d.first = to_tap(&d, d.u.first, d.v.first);
			d.line = line_of(&d, d.u.first, d.v.first);
			rectangle(&d, line * along.places + place, lines, places);
		}
	}
}

/* All of y; unit is how many elements of x a word has. */
void ISK_FN(conv_direct)(const struct call *call, enum operand kind, micro_fn *micro, size_t unit)
{
	const struct isk_conv *c = call->conv;
	const struct isk_conv_sizes *s = call->s;
	/* Panels of a part: whole tiles, wide ones if they fit. */
	const size_t panel = s->k / unit * ISK_PACKED_LINE, fit = panel ? PART_BYTES / panel : s->columns;
	const size_t whole = fit < WIDE_PANELS ? NR / PANEL : WIDE_PANELS;
	const size_t part = (fit < whole ? whole : fit / whole * whole) * PANEL;

	for (size_t g = 0; g < c->groups; g++) {
		const struct group group = group_of(call, g);

		for (size_t col = 0; col < s->columns; col += part)
			direct((struct direct){
				.group = &group,
				.conv = c,
				.s = s,
				.micro = micro,
				.kind = kind,
				.channels = c->channels / c->groups / unit,
				.ldx = s->ldx / unit,
				.panel = panel,
				.plain = (call->y_type == ISK_F32 || call->y_type == ISK_S32) && post_is_plain(call->post),
				.col = col,
				.cols = s->columns - col < part ? s->columns - col : part,
			});
	}
}
