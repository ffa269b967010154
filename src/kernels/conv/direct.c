/* SPDX-License-Identifier: MIT */
/*
 * Convolutions whose micro-kernels read the image in place: nothing is copied, and taps
 * outside the image are not multiplied (a tenth of those of 3 by 3 on 14 by 14 pixels).
 * 32-bit words of x are f32, halves of f64, pairs of bf16 or four u8; all sizes are in words, and so are columns of y and
 * distances in y if the kind is F64 (multiply.h).
 *
 * The rows of a tile are output pixels at a constant distance in the image: next to each
 * other, one above the other, or at the same place of successive images. All pixels of a
 * tile have the same taps inside the image. Therefore y is cut into rectangles of pixels with
 * the same taps inside: one in the middle, the others at edges and corners. A tile takes all
 * of k, and its sums never wait in memory.
 */
#include "conv.h"
#include "micro.h"
#include "narrow.h"

drive_fn ISK_FN(conv_direct);
ISK_EXTERN correct_fn ISK_PART(epilogue, correct);
ISK_EXTERN micro_fn ISK_PART(narrow, direct_narrow);

/* Bytes of the panels for a part of the columns of y, which are to stay in the second-level cache. */
#define PART_BYTES (384 << 10)

/*
 * A line of y of at most LINE_PLACES pixels stays one tile even if some of its pixels lack
 * some taps, because without its ends it would have too few rows to use B well. Its sums then
 * go through memory, which LINE_CHANNELS panel lines of additions make up for.
 */
#define LINE_PLACES   (MR * 2 / 3)
#define LINE_CHANNELS 64

/* A way to step through pixels: their number, and the distance to the next one in x (words) and in y (pixels). */
struct way {
	size_t count, x, y;
};

/* The state of a convolution of some columns of one group. */
struct direct {
	const struct product *p;
	const struct isk_conv_sizes *s;
	size_t channels, ldx; /* words of the group in a pixel, words from pixel to pixel */
	size_t lines;         /* panel lines of a tap */
	size_t unit;          /* bytes of what columns of y count: an element or, for F64, a word */
	size_t col, cols; /* first column, number of columns */
	int narrow;       /* these columns are at most half a panel, for which tiles may be narrow */
	int whole_lines;  /* a line of y is one tile, of pixels that may lack some taps */
	int converts;     /* sums stay integers until all micro-kernels have added to them; then correct() converts them */
	int plain;        /* sums are the elements of y */
	int finishes;     /* tiles make elements of y of their sums, as far as they can: see finishes() */
	struct finish finish;
	struct span u;    /* rows of taps inside the image */
	struct taps taps; /* taps that tiles multiply now */
	size_t first_a;   /* words of x from tap (0, 0) of a pixel to the first of these taps */
	size_t first_b;   /* bytes of a panel from tap (0, 0) to the first of these taps */
	struct tile tile; /* the fields that all tiles share */
};

/* The number of tiles of these rows. AMX takes 32 rows at once and spends no noticeable time on loads from one set. */
static size_t tiles_of(const struct direct *d, size_t rows, size_t lda)
{
	const size_t high = d->narrow && !share_a_set(lda) ? NARROW_ROWS : rows_in_place(lda);
	const size_t most = is_amx(d->p->kind) ? AMX_ROWS : high;

	return (rows + most - 1) / most;
}

/* Whether a tile of these rows is narrow. */
static int is_narrow(const struct direct *d, size_t rows)
{
	return HAS_NARROW && d->narrow && rows > MR;
}

static size_t width_of(const struct direct *d, size_t rows, size_t left)
{
	const size_t most = rows > AMX_ROWS / 2 ? 2 * PANEL : 4 * PANEL, panels = (left + PANEL - 1) / PANEL;

	if (is_narrow(d, rows))
		return NARROW;
	if (!is_amx(d->p->kind))
		return tile_width(rows, left, WIDE_F32, 1); /* for FOURS as well, because DIRECT has no chains */
	return panels * PANEL < most ? panels * PANEL : most;
}

/* Multiplies by these taps from now on. */
static void use_taps(struct direct *d, struct span u, struct span v)
{
	const struct axis *down = &d->s->down, *along = &d->s->along;
	struct taps t = {.height = u.end - u.first, .width = v.end - v.first, .lines = d->lines};
	/* A single tap, or row of taps, has no next one, so its distance must not count. */
	const size_t tap = t.width > 1 ? along->dilation * d->ldx : d->channels;
	const size_t row = t.height > 1 ? down->dilation * d->s->row_x * d->ldx : t.width * tap;

	t.row = row - t.width * tap;
	t.skip = (along->taps - t.width) * d->lines * ISK_PACKED_LINE;
	if (tap == d->channels) {
		t.lines *= t.width;
		t.width = 1;
	} else {
		t.tap = tap - d->channels;
	}
	d->taps = t;
	d->first_a = (u.first * down->dilation * d->s->row_x + v.first * along->dilation) * d->ldx;
	d->first_b = (u.first * along->taps + v.first) * d->lines * ISK_PACKED_LINE;
}

/*
 * A line of y whose pixels have different taps inside: multiplies tap by tap for the pixels
 * that have it, neighbouring taps at once if the same pixels have them. `at` is the word of x
 * of its first pixel's tap (0, 0).
 */
static void tile_line(struct direct *d, size_t at)
{
	const struct axis taps = exchanged(&d->s->along);
	struct tile *tile = &d->tile;
	const unsigned char *const b = tile->b;
	float *const c = tile->c;

	for (size_t i = 0; i < tile->rows; i++)
		for (size_t j = 0; j < tile->panels * PANEL; j += VL)
			vf_store(c + i * tile->ldc + j, vf_set1(0));
	tile->ldt = tile->ldc;
	for (size_t u = d->u.first; u < d->u.end; u++)
		for (struct span v = {0, 0}; v.first < taps.places; v.first = v.end) {
			const struct span pixels = taps_inside(&taps, v.first);

			v.end = v.first + same_taps(&taps, v.first, pixels);
			if (pixels.first >= pixels.end)
				continue;
			use_taps(d, (struct span){u, u + 1}, v);
			tile->t = tile->c = c + pixels.first * tile->ldc;
			tile->a = (const float *)d->p->a + (at + pixels.first * tile->lda + d->first_a);
			tile->b = b + d->first_b;
			tile->rows = pixels.end - pixels.first;
			d->p->micro(tile);
		}
}

/* Whether the micro-kernel takes several tiles of whole columns in one call. */
static int takes_several(const struct direct *d)
{
	return !is_amx(d->p->kind) && !has_integers(d->p->kind) && !d->whole_lines;
}

/* One row of tiles from a pixel of y on; `at` is the word of x of that pixel's tap (0, 0). */
static void row_of_tiles(struct direct *d, size_t pixel, size_t at, const struct way *way)
{
	const struct product *p = d->p;
	const size_t unit = d->unit, ldc = way->y * p->ldc;
	char *const c = (char *)p->c + pixel * p->ldc * unit;
	const struct isk_post *post = p->post;
	struct isk_post moved;
	struct tile *tile = &d->tile;
	float sums[AMX_ROWS * 2 * PANEL]; /* room for MR by NR, and for wide tiles, as well */
	const int several = takes_several(d);
	const size_t tiles = tiles_of(d, way->count, way->x), least = way->count / tiles, higher = way->count % tiles;
	size_t rows;

	if (post->binary) {
		moved = *post;
		moved.other = (const char *)post->other + pixel * post->ldother * isk_element_bytes(p->c_type);
		moved.ldother *= way->y;
		post = &moved;
	}
	tile->lda = way->x;
	for (size_t t = 0, i = 0; t < tiles; t++, i += rows) {
		size_t width;

		rows = least + (t < higher);
		for (size_t j = d->col, end = d->col + d->cols; j < end; j += width) {
			const size_t room = width_of(d, rows, end - j);
			const int narrow = is_narrow(d, rows);
			const int can_finish = narrow ? !post->binary : finishes(rows, room, p->kind, 1);
			const int finish = d->finishes && end - j >= room && can_finish;
			const int straight = (d->plain && end - j >= room) || finish;
			const size_t beside = straight && several && end - j >= 2 * room ? (end - j) / room : 1;

			width = end - j < room ? end - j : beside * room;
			prefetch_other(post, i, j, rows, width, p->c_type);
			prefetch_rows(c + (i * ldc + j) * unit, ldc * unit, rows, width * unit, 1);
			tile->c = straight ? (float *)(void *)c + i * ldc + j : sums;
			tile->ldc = straight ? ldc : room;
			tile->b = p->panels + j / PANEL * p->panel;
			tile->rows = rows;
			tile->panels = room / PANEL;
			tile->more = beside - 1;
			tile->finish = NULL;
			if (finish) {
				d->finish.post = post;
				d->finish.row = i;
				d->finish.col = j;
				tile->finish = &d->finish;
			}
			if (d->whole_lines) {
				tile_line(d, at);
			} else {
				tile->a = p->a;
				if (d->taps.height && d->taps.width)
					tile->a += at + i * way->x + d->first_a;
				tile->b += d->first_b;
				if (narrow)
					ISK_PART(narrow, direct_narrow)(tile);
				else
					p->micro(tile);
			}
			if (!straight) {
				const struct epilogue e = {c, ldc, sums, room, i, j, rows, width, post};

				if (d->converts)
					ISK_PART(epilogue, correct)(&e, p, NULL, 1);
				p->epilogue(&e);
			}
		}
	}
}

/*
 * All pixels of a rectangle of y, in all images. Rows of tiles follow the way that needs the
 * fewest tiles. Words of x are counted modulo 2^64.
 */
static void rectangle(struct direct *d, size_t line, size_t place, size_t lines, size_t places)
{
	const struct isk_conv_sizes *s = d->s;
	const struct axis *down = &s->down, *along = &s->along;
	const size_t pixel = line * s->line_y + place * s->place_y;
	const size_t at = pixel_in_x(s, 0, pixel_of(down, line, 0), pixel_of(along, place, 0)) * d->ldx;
	const struct way ways[] = {
		{places, places > 1 ? along->stride * d->ldx : 0, s->place_y},
		{lines, lines > 1 ? down->stride * s->row_x * d->ldx : 0, s->line_y},
		{s->images, s->images > 1 ? s->image_x * d->ldx : 0, s->image_y},
	};
	const struct way *first, *second;
	size_t least = SIZE_MAX, best = 0;

	for (size_t w = 0; w < (d->whole_lines ? 1 : 3); w++) {
		const size_t others = ways[(w + 1) % 3].count * ways[(w + 2) % 3].count;
		const size_t tiles = tiles_of(d, ways[w].count, ways[w].x) * others;

		if (tiles < least) {
			least = tiles;
			best = w;
		}
	}
	first = &ways[(best + 2) % 3];
	second = &ways[(best + 1) % 3];
	for (size_t i = 0; i < first->count; i++)
		for (size_t j = 0; j < second->count; j++)
			row_of_tiles(d, pixel + i * first->y + j * second->y, at + i * first->x + j * second->x, &ways[best]);
}

/*
 * Sets the number of columns from d->col on that are computed together: at most `part`, which are whole panels. The last
 * half panel of f32 is apart, because narrow tiles have more rows; an image of few pixels has no such tile.
 */
static void take_columns(struct direct *d, size_t part)
{
	const size_t left = d->p->n - d->col, last = d->p->n % PANEL;
	const int has_narrow = HAS_NARROW && d->p->kind == WIDE_F32 && last && last <= NARROW && !d->whole_lines
	                       && (d->s->along.places > MR || d->s->down.places > MR);

	d->cols = left < part ? left : part;
	d->narrow = has_narrow && left == last;
	if (has_narrow && left > last && d->cols == left)
		d->cols -= last;
}

/* The columns of a part: all if their panels fit, or those of whole tiles, which are wide ones if these fit. */
static size_t columns_of_part(const struct product *p)
{
	size_t fit, whole;

	if ((p->n + PANEL - 1) / PANEL * p->panel <= PART_BYTES)
		return p->n;
	fit = PART_BYTES / p->panel;
	whole = fit < WIDE_PANELS ? NR / PANEL : WIDE_PANELS;
	return (fit < whole ? whole : fit / whole * whole) * PANEL;
}

void ISK_FN(conv_direct)(const struct product *p)
{
	const struct isk_conv_sizes *s = sizes_of(p);
	const struct axis *down = &s->down, *along = &s->along;
	const size_t part = columns_of_part(p);
	const size_t bytes = isk_element_bytes(p->a_type);
	struct direct d = {
		.p = p,
		.s = s,
		.channels = s->in_group * bytes / sizeof(float),
		.ldx = s->ldx * bytes / sizeof(float),
		.lines = s->in_group * bytes / sizeof(float) / element_words(p->kind),
		.unit = isk_element_bytes(p->c_type) / element_words(p->kind),
		.tile.panel = p->panel,
		.tile.taps = &d.taps,
	};
	size_t lines, places;

	d.whole_lines = along->places <= LINE_PLACES && tiles_of(&d, along->places, along->stride * d.ldx) == 1
	                && d.lines >= LINE_CHANNELS
	                && same_taps(along, 0, taps_inside(along, 0)) < along->places;
	d.converts = has_integers(p->kind) && p->c_type != ISK_S32 && (d.whole_lines || is_amx(p->kind));
	d.plain = sums_are_c(p) && !d.converts;
	d.finishes = p->kind == WIDE_F32 && !d.plain && !d.whole_lines && can_finish_f32(&d.finish, p->post);
	d.tile.as_float = p->c_type != ISK_S32 && !d.converts;
	for (d.col = 0; d.col < p->n; d.col += d.cols) {
		take_columns(&d, part);
		for (size_t line = 0; line < down->places; line += lines) {
			d.u = taps_inside(down, line);
			lines = same_taps(down, line, d.u);
			for (size_t place = 0; place < along->places; place += places) {
				const struct span v = taps_inside(along, place);

				places = d.whole_lines ? along->places : same_taps(along, place, v);
				use_taps(&d, d.u, v);
				rectangle(&d, line, place, lines, places);
			}
		}
	}
}
