/* SPDX-License-Identifier: MIT */
/*
 * Depthwise convolution: a vector is VL channels (VD of f64), and the taps of a sum are added
 * in the order of k. Bytes are widened to lanes of 32 bits and multiplied by vi_dot_one(), which
 * multiplies one byte by one and is as fast as an FMA. A template for the types of x. Doubles are in a vf, the type of vectors of all kinds here, and only
 * their arithmetic differs. ISK_U8 stands for s8 as well: tiles that do not slide flip its sign bits, which
 * makes it an unsigned byte, 128 higher, with a zero point 128 higher (micro_fours.c).
 *
 * A tile is SPAN output pixels of a row, because rows usually have a multiple of 7 pixels
 * (7, 14, 28, 56, 112). Tiles of 3 by 3 of f32 may have NARROW pixels instead, which fit rows of 4, 8, 16 and 20 pixels:
 * span_of(). In other rows, the last tile reaches back over pixels that are done, and does not store them again.
 *
 * The usual kernels of 3 by 3 and of 5 by 5 slide over
 * a tile: each vector of x is loaded once for all its sums of a row. The sums still get their
 * taps in order, since rows and columns are visited in ascending order. A tile of 3 by 3 has two rows, which share rows
 * of x, if registers hold their sums, the taps of two rows and a vector of x. If not, it has one row, because reading a tap
 * from memory takes as long as multiplying by it. A tile of 5 by 5 has one: 7 sums, the 5 taps of a row and
 * a vector of x are what 16 registers hold. So none of them has one for flipping s8, and f16, which is
 * rare, would be as much code again: these two do not slide.
 */
#ifndef ISK_DEPTHWISE_H
#define ISK_DEPTHWISE_H

#include "conv.h"
#include "micro.h"
#include "post.h"
#include "quantize.h"

#define SPAN   7
#define NARROW 4

/* The rows of a tile of 3 by 3. */
#define TALLEST(span) (2 * (span) + 6 + 1 <= ISK_REGISTERS ? 2 : 1)

/*
 * The relative times of a pixel in narrow tiles of 3 by 3 and in the others. Zen 5: narrow ones take 1.19 at AVX-512, where
 * both have two rows (8x8x128, 32x32x32), and 0.83 at AVX2, where the others have one (28x28x256, 30x40x64).
 */
#define NARROW_TIME (TALLEST(SPAN) == 2 ? 6 : 5)
#define SPAN_TIME   (TALLEST(SPAN) == 2 ? 5 : 6)

/* A convolution, and the values computed from it once. */
struct depthwise {
	const struct product *p;
	const struct isk_conv_sizes *s;
	struct clamp clamp;
	int clamps; /* the last post-operation is the clamp */
	int plain;  /* there are no post-operations */
	int32_t flip, a_zero; /* bytes: what is flipped in each, and the zero point of x then */
	float outside[VL]; /* VL elements of x outside the image: the padding */
};

/* The 32-bit words that an element of x fills in a register, and the elements in a vector. */
ISK_INLINE size_t words_of(const enum isk_type type)
{
	return element_words(type == ISK_F64 ? F64 : WIDE_F32);
}

ISK_INLINE size_t count_of(const enum isk_type type)
{
	return VL / words_of(type);
}

/* Loads n elements of x, a vector at most, as f32, as f64 or as integers in registers of the same kind. */
ISK_INLINE vf x_load(const void *x, size_t at, size_t n, const enum isk_type type)
{
	return type == ISK_U8    ? vi_float(vi_load_as(x, at, n, type))
	       : type == ISK_F64 ? (vf)vd_load_as(x, at, n, type)
	                         : vf_load_as(x, at, n, type);
}

/* Loads tap t of a vector of columns of a panel. line is the panel's first line, at the first of those columns. */
ISK_INLINE vf tap_load(const unsigned char *line, size_t t, const enum isk_type type)
{
	const size_t group = type == ISK_U8 ? 4 : type == ISK_BF16 || type == ISK_F16 ? 2 : 1;
	const vi w = vi_load((const int32_t *)(const void *)(line + t / group * ISK_PACKED_LINE));
	vf pair[2];

	switch (type) {
	case ISK_BF16:
		return vi_float(t % 2 ? w & (int32_t)0xffff0000 : w << 16);
	case ISK_F16:
		vf_from_f16_pairs(w, &pair[0], &pair[1]);
		return t % 2 ? pair[1] : pair[0];
	case ISK_U8:
		return vi_float(vi_dot_one_b(w, t % 4));
	default:
		return vi_float(w);
	}
}

ISK_INLINE vf add_tap(vf sum, vf x, vf tap, const enum isk_type type)
{
	return type == ISK_U8    ? vi_float(vi_dot_one(vf_bits(sum), vf_bits(x), vf_bits(tap)))
	       : type == ISK_F64 ? (vf)vd_fma((vd)x, (vd)tap, (vd)sum)
	                         : vf_fma(x, tap, sum);
}

/*
 * A tile: n channels from j on of SPAN output pixels of one row or two. Only pixels from skip
 * to before count, in rows from skip_row on, are stored.
 */
struct span_tile {
	size_t image, row, col, skip, count, skip_row, j, n;
};

/* The first panel line of the channels from t->j on, at their column. */
ISK_INLINE const unsigned char *line_of(const struct depthwise *d, const struct span_tile *t, const enum isk_type type)
{
	const size_t word = t->j * words_of(type);

	return d->p->panels + word / PANEL * d->p->panel + word % PANEL * 4;
}

/* The index of the first pixel of a tile, counted through all of y. */
ISK_INLINE size_t pixel_in_y(const struct depthwise *d, const struct span_tile *t)
{
	return (t->image * d->s->down.places + t->row) * d->s->along.places + t->col;
}

/* The first value of sums: minus the term of the zero point of x, or 0. */
ISK_INLINE vf start_sums(const struct depthwise *d, const struct span_tile *t, const enum isk_type type)
{
	return type == ISK_U8 ? vi_float(vi_load(d->p->sums + t->j) * -d->a_zero) : vf_set1(0);
}

/* Subtracts the terms of the zero points of weights from the sums of a tile; x_sums are the sums of x alone. */
ISK_INLINE void take_zeros(const struct depthwise *d, const struct span_tile *t, vf sums[SPAN],
                           const vi x_sums[SPAN])
{
	const struct isk_post *post = d->p->post;
	const vi zero = post->b_zeros == 1 ? vi_set1(*post->b_zero)
	                                   : vi_load_as(post->b_zero, t->j, t->n, ISK_S32);
	const int32_t all = (int32_t)((uint32_t)d->p->k * (uint32_t)d->a_zero);

#pragma GCC unroll 7
	for (size_t p = 0; p < SPAN; p++)
		sums[p] = vi_float(vf_bits(sums[p]) - zero * (x_sums[p] - all));
}

/* Has the epilogue store the sums of a tile, of which a vector has `count` elements of x's type. */
ISK_INLINE void store_by_epilogue(const struct depthwise *d, const struct span_tile *t, vf sums[SPAN],
                                  const enum isk_type type)
{
	const size_t words = words_of(type), count = count_of(type), n = t->n < count ? t->n : count;

	d->p->epilogue(&(struct epilogue){d->p->c, d->p->ldc * words, (float *)(sums + t->skip), VL,
	                                  pixel_in_y(d, t) + t->skip, t->j * words, t->count - t->skip, n * words,
	                                  d->p->post});
}

/*
 * From sums to elements of y, if at most scale, bias and a clamp follow. For f64 nothing follows, because post.h computes in f32.
 */
ISK_INLINE void finish_pixels(const struct depthwise *d, vf sums[SPAN], struct linear l, const size_t span,
                              const enum isk_type type)
{
#pragma GCC unroll 7
	for (size_t p = 0; p < span; p++)
		if (type != ISK_F64 && !d->plain)
			sums[p] = clamp(vf_fma(sums[p], l.scale, l.bias), d->clamp);
}

/* Stores the elements of a tile. y is the first one; pixels are ldy elements apart. */
ISK_INLINE void store_pixels(void *y, size_t ldy, const struct span_tile *t, const vf elements[SPAN], const size_t span,
                               const enum isk_type type)
{
	if (type == ISK_BF16 && t->n >= VL) {
		vf_store_bf16_rows(y, ldy, elements, span, t->skip, t->count);
		return;
	}
#pragma GCC unroll 7
	for (size_t p = 0; p < span; p++)
		if (p < t->skip || p >= t->count)
			continue;
		else if (type == ISK_F64)
			vd_store_as(y, p * ldy, (vd)elements[p], t->n, type);
		else
			vf_store_as(y, p * ldy, elements[p], t->n, type);
}

/*
 * Stores the sums of a tile in y, whose type is x's if d->clamps, without a call of the epilogue if at most scale, bias and a
 * clamp follow. They are little work compared with the sums, but a call would move all sums
 * to memory and back.
 */
ISK_INLINE void store_sums(const struct depthwise *d, const struct span_tile *t, vf sums[SPAN], const enum isk_type type)
{
	const size_t ldy = d->p->ldc, at = pixel_in_y(d, t) * ldy + t->j;

	if (!d->clamps) {
		store_by_epilogue(d, t, sums, type);
		return;
	}
	finish_pixels(d, sums, linear_of(d->p->post, t->j, t->n), SPAN, type);
	store_pixels((unsigned char *)d->p->c + at * isk_element_bytes(type), ldy, t, sums, SPAN, type);
}

/* Stores sums of bytes in a y of s32, which holds them as they are. */
ISK_INLINE void store_s32(const struct depthwise *d, const struct span_tile *t, const vf sums[SPAN])
{
	const size_t ldy = d->p->ldc, at = pixel_in_y(d, t) * ldy + t->j;

#pragma GCC unroll 7
	for (size_t p = 0; p < SPAN; p++)
		if (p >= t->skip && p < t->count)
			vi_store_as(d->p->c, at + p * ldy, vf_bits(sums[p]), t->n, ISK_S32);
}

typedef void store_fn(const struct depthwise *d, struct span_tile t, vf sums[SPAN]);

/* Defines the function that stores sums of floats of a type. */
#define DEFINE_STORE(name, type)                                               \
	static void name(const struct depthwise *d, struct span_tile t, vf sums[SPAN]) \
	{                                                                          \
		store_sums(d, &t, sums, type);                                         \
	}

/* A row of x under a tile. A row outside the image repeats one vector. */
struct x_row {
	const unsigned char *x; /* first byte of the row */
	size_t mask;            /* mask of offsets into the row: all ones inside the image, 0 outside */
};

/* The values of a tile that slides that are found once for all its channels. */
struct slide {
	struct x_row row[5];
	unsigned char *y;     /* the first element */
	size_t pixel;         /* bytes of x from a pixel to the next */
	size_t line_y;        /* bytes of y from a row to the next */
	int first_there, last_there; /* whether the first and the last column under the tile are inside the image */
};

/* Hands the sums of the rows of a tile of a vector of channels to the store that is fastest for them. */
ISK_INLINE void store_tile(const struct depthwise *d, const struct slide *e, struct span_tile t, vf acc[2][SPAN],
                           const size_t lines, const size_t span, store_fn *store, const enum isk_type type)
{
	const size_t bytes = isk_element_bytes(type);
	unsigned char *y = e->y + t.j * bytes;
	vf sums[SPAN];

	t.count = span; /* count and n have these values already; this tells the compiler */
	t.n = count_of(type);
	if (type != ISK_U8 && d->clamps) {
		const struct linear l = linear_of(d->p->post, t.j, VL);

#pragma GCC unroll 2
		for (size_t h = 0; h < lines; h++, y += e->line_y) {
			finish_pixels(d, acc[h], l, span, type);
			if (h >= t.skip_row)
				store_pixels(y, d->p->ldc, &t, acc[h], span, type);
		}
		return;
	}
#pragma GCC unroll 2
	for (size_t h = 0; h < lines; h++, t.row++) {
		if (h < t.skip_row)
			continue;
		if (type == ISK_U8 && d->p->c_type == ISK_S32) {
			store_s32(d, &t, acc[h]);
			continue;
		}
#pragma GCC unroll 7
		for (size_t p = 0; p < SPAN; p++)
			sums[p] = p < span ? acc[h][p] : vf_set1(0);
		store(d, t, sums);
	}
}

/*
 * A vector of channels of a tile for a kernel of 3 by 3. Only its first and its last column can lie outside the image.
 * Taps are loaded with the first row of x that needs them.
 */
ISK_INLINE void slide_3(const struct depthwise *d, const struct slide *e, const struct span_tile *t,
                        const int stride, const int span, store_fn *store, const enum isk_type type)
{
	const size_t channels = t->j * isk_element_bytes(type);
	const int last = 2 + (span - 1) * stride, lines = TALLEST(span);
	const unsigned char *line = line_of(d, t, type);
	vf acc[2][SPAN], taps[3][3];

#pragma GCC unroll 2
	for (int h = 0; h < lines; h++)
#pragma GCC unroll 7
		for (int p = 0; p < span; p++)
			acc[h][p] = start_sums(d, t, type);
#pragma GCC unroll 5
	for (int i = 0; i < 3 + (lines - 1) * stride; i++) {
		const unsigned char *at = e->row[i].x + (channels & e->row[i].mask);
		const size_t step = e->pixel & e->row[i].mask;

#pragma GCC unroll 3
		for (size_t v = 0; v < 3; v++)
			if (i < 3)
				taps[i][v] = tap_load(line, 3 * (size_t)i + v, type);
#pragma GCC unroll 15
		for (int c = 0; c <= last; c++, at += step) {
			const int in = c == 0 ? e->first_there : c == last ? e->last_there : 1;
			const vf x = x_load(in ? at : (const unsigned char *)d->outside, 0, count_of(type), type);

#pragma GCC unroll 2
			for (int h = 0; h < lines; h++)
#pragma GCC unroll 3
				for (int v = 2; v >= 0; v--) {
					const int u = i - h * stride, p = (c - v) / stride;

					if (u >= 0 && u < 3 && c >= v && (c - v) % stride == 0 && p < span)
						acc[h][p] = vf_now(add_tap(acc[h][p], x, taps[u][v], type));
				}
		}
	}
	store_tile(d, e, *t, acc, (size_t)lines, (size_t)span, store, type);
}

/*
 * A vector of channels of a tile of one row, for a kernel of 5 by 5. Only its first two and its last
 * two columns can lie outside the image.
 */
ISK_INLINE void slide_5(const struct depthwise *d, const struct slide *e, const struct span_tile *t,
                        const int stride, store_fn *store, const enum isk_type type)
{
	const struct axis *along = &d->s->along;
	const size_t channels = t->j * isk_element_bytes(type), col = pixel_of(along, t->col, 0);
	const int last = 4 + (SPAN - 1) * stride;
	const unsigned char *line = line_of(d, t, type);
	vf acc[2][SPAN];

#pragma GCC unroll 7
	for (int p = 0; p < SPAN; p++)
		acc[0][p] = start_sums(d, t, type);
	for (size_t u = 0; u < 5; u++) {
		const unsigned char *at = e->row[u].x + (channels & e->row[u].mask);
		const size_t step = e->pixel & e->row[u].mask;
		vf taps[5];

#pragma GCC unroll 5
		for (size_t v = 0; v < 5; v++)
			taps[v] = tap_load(line, 5 * u + v, type);
#pragma GCC unroll 17
		for (int c = 0; c <= last; c++, at += step) {
			const int in = (c >= 2 && c <= last - 2) || col + (size_t)c < along->size;
			const vf x = x_load(in ? at : (const unsigned char *)d->outside, 0, count_of(type), type);

#pragma GCC unroll 5
			for (int v = 4; v >= 0; v--) {
				const int p = (c - v) / stride;

				if (c >= v && (c - v) % stride == 0 && p < SPAN)
					acc[0][p] = vf_now(add_tap(acc[0][p], x, taps[v], type));
			}
		}
	}
	store_tile(d, e, *t, acc, 1, SPAN, store, type);
}

/*
 * A tile of any other convolution. edge: some taps may lie outside the image, or
 * the vector has channels beyond the last one. general: weights have zero points, or
 * a channel of x has several outputs.
 */
ISK_INLINE void any(const struct depthwise *d, const struct span_tile *t, const int edge, const int general,
                    store_fn *store, const enum isk_type type)
{
	const struct axis *down = &d->s->down, *along = &d->s->along;
	const size_t m = general ? d->s->multiplier : 1, j = t->j / m;
	const size_t words = words_of(type), n = general ? d->p->n / m - j : edge ? t->n : count_of(type), step = along->stride * d->s->ldx;
	const vf outside = x_load(d->outside, 0, count_of(type), type);
	const unsigned char *line = line_of(d, t, type);
	vi lanes = vi_iota(), x_sums[SPAN];
	vf acc[SPAN], sums[SPAN];

#pragma GCC unroll 16
	for (size_t i = 0; i < VL; i++)
		if (general)
			lanes[i] = (int32_t)((t->j % m + i / words) / m * words + i % words);
#pragma GCC unroll 7
	for (size_t p = 0; p < SPAN; p++) {
		acc[p] = start_sums(d, t, type);
		x_sums[p] = vi_set1(0);
	}
	for (size_t u = 0, tap = 0; u < down->taps; u++) {
		const size_t row = pixel_of(down, t->row, u);

		for (size_t v = 0; v < along->taps; v++, tap++) {
			const vf w = tap_load(line, tap, type);
			size_t col = pixel_of(along, t->col, v);
			size_t at = pixel_in_x(d->s, t->image, row, col) * d->s->ldx + j;

#pragma GCC unroll 7
			for (size_t p = 0; p < SPAN; p++, col += along->stride, at += step) {
				vf x = outside;

				if (!edge || (row < down->size && col < along->size))
					x = x_load(d->p->a, at, n, type);
				x = general ? vf_lanes(x, lanes) : x;
				x = type == ISK_U8 ? vi_float(vf_bits(x) ^ vi_set1(d->flip)) : x;
				acc[p] = add_tap(acc[p], x, w, type);
				if (general && type == ISK_U8)
					x_sums[p] += vf_bits(x);
			}
		}
	}
	if (general && type == ISK_U8 && d->p->post->b_zeros)
		take_zeros(d, t, acc, x_sums);
#pragma GCC unroll 7
	for (size_t p = 0; p < SPAN; p++)
		sums[p] = acc[p];
	store(d, *t, sums);
}

/* All whole vectors of channels of a tile, in order, so that each pixel of x is read in order. */
ISK_INLINE void slide_channels(const struct depthwise *d, struct span_tile *t, const int kernel, const int stride,
                               const int span, store_fn *store, const enum isk_type type)
{
	const struct axis *along = &d->s->along;
	const size_t bytes = isk_element_bytes(type), col = pixel_of(along, t->col, 0), n = d->p->n;
	struct slide e = {
		.y = (unsigned char *)d->p->c + pixel_in_y(d, t) * d->p->ldc * bytes,
		.pixel = d->s->ldx * bytes,
		.line_y = along->places * d->p->ldc * bytes,
		.first_there = col < along->size,
		.last_there = pixel_of(along, t->col + (size_t)span - 1, along->taps - 1) < along->size,
	};

	for (size_t i = 0; i < (kernel == 3 ? 3 + (size_t)((TALLEST(span) - 1) * stride) : 5); i++) {
		const size_t row = pixel_of(&d->s->down, t->row, i);
		const size_t at = pixel_in_x(d->s, t->image, row, col) * e.pixel;

		if (row < d->s->down.size)
			e.row[i] = (struct x_row){(const unsigned char *)d->p->a + at, SIZE_MAX};
		else
			e.row[i] = (struct x_row){(const unsigned char *)d->outside, 0};
	}
	for (t->j = 0; n - t->j >= count_of(type); t->j += count_of(type))
		if (kernel == 3)
			slide_3(d, &e, t, stride, span, store, type);
		else
			slide_5(d, &e, t, stride, store, type);
}

/* All channels of a tile of one row from t->j on. */
ISK_INLINE void any_channels(const struct depthwise *d, struct span_tile *t, int general, store_fn *store,
                             const enum isk_type type)
{
	const struct axis *along = &d->s->along;
	const int edge = !all_inside(&d->s->down, t->row) || !all_inside(along, t->col)
	                 || !all_inside(along, t->col + SPAN - 1);

	for (; t->j < d->p->n; t->j += count_of(type)) {
		t->n = d->p->n - t->j;
		if (general)
			any(d, t, 1, 1, store, type);
		else if (edge || t->n < count_of(type))
			any(d, t, 1, 0, store, type);
		else
			any(d, t, 0, 0, store, type);
	}
}

/* The time of the tiles of some rows of y. */
ISK_INLINE size_t time_of_tiles(size_t lines, size_t places, const size_t span, size_t pixel)
{
	const size_t rows = TALLEST(span);

	return (lines + rows - 1) / rows * rows * ((places + span - 1) / span * span) * pixel;
}

/* The output pixels of a row of a tile of 3 by 3. */
ISK_INLINE size_t span_of(size_t lines, size_t places, const enum isk_type type)
{
	const int is_narrow = time_of_tiles(lines, places, NARROW, NARROW_TIME) < time_of_tiles(lines, places, SPAN, SPAN_TIME);

	return type == ISK_F32 && places >= NARROW && (is_narrow || places < SPAN) ? NARROW : SPAN;
}

/* 3 or 5 if tiles of such a kernel slide, else 0. A column inside a tile must be inside the image. */
static int sliding_kernel(const struct product *p, size_t span)
{
	const struct axis *down = &sizes_of(p)->down, *along = &sizes_of(p)->along;
	const size_t taps = along->taps, border = taps / 2;
	const int fits = (taps == 3 || taps == 5) && down->taps == taps && down->dilation == 1 && along->dilation == 1
	                 && down->stride == along->stride && down->stride <= 2 && down->places > 1 && along->places >= span
	                 && along->before <= border && pixel_of(along, along->places - 1, taps - 1) < along->size + border;

	return fits ? (int)taps : 0;
}

/* The sliding tiles of one place, if a kernel of 3 by 3 or 5 by 5 slides. */
ISK_INLINE void slide_any(const struct depthwise *d, struct span_tile *t, int kernel, size_t span, store_fn *store,
                          const enum isk_type type)
{
	const size_t stride = d->s->along.stride;

	if (type == ISK_F32 && span == NARROW && stride == 1)
		slide_channels(d, t, 3, 1, NARROW, store, type);
	else if (type == ISK_F32 && span == NARROW)
		slide_channels(d, t, 3, 2, NARROW, store, type);
	else if (kernel == 3 && stride == 1)
		slide_channels(d, t, 3, 1, SPAN, store, type);
	else if (kernel == 3)
		slide_channels(d, t, 3, 2, SPAN, store, type);
	else if (stride == 1)
		slide_channels(d, t, 5, 1, SPAN, store, type);
	else
		slide_channels(d, t, 5, 2, SPAN, store, type);
}

/* Begins the tile whose first pixel that is not done yet is `done`, in a row of `places` pixels. */
ISK_INLINE void begin_tile(struct span_tile *t, size_t done, size_t places, size_t span, const enum isk_type type)
{
	t->count = places < span ? places : span;
	t->col = done + t->count < places ? done : places - t->count;
	t->skip = done - t->col;
	t->n = count_of(type);
}

/* The whole convolution. Tiles of two rows take rows in pairs; the last pair may repeat a row that is done. */
ISK_INLINE void depthwise(const struct product *p, store_fn *store, const enum isk_type type)
{
	const struct isk_conv_sizes *s = sizes_of(p);
	const size_t lines = s->down.places, places = s->along.places;
	const int general = s->multiplier > 1 || p->post->b_zeros;
	const size_t span = s->along.taps == 3 ? span_of(lines, places, type) : SPAN;
	const int kernel = general || p->a_type == ISK_S8 || type == ISK_F16 ? 0 : sliding_kernel(p, span);
	const size_t rows = kernel == 3 ? (span == NARROW ? TALLEST(NARROW) : TALLEST(SPAN)) : 1;
	const size_t slid = kernel ? p->n / count_of(type) * count_of(type) : 0; /* channels of sliding tiles */
	struct depthwise d = {.p = p, .s = s};
	struct span_tile t;

	d.plain = post_is_plain(p->post);
	d.clamps = clamp_of(p->post, &d.clamp) && p->post->binary == ISK_BINARY_NONE && (type != ISK_F64 || d.plain)
	           && (type != ISK_BF16 || p->c_type == ISK_BF16); /* the code for a y of f32 is the epilogue's alone */
	d.flip = p->a_type == ISK_S8 ? 0x80 : 0;
	d.a_zero = p->a_zero + d.flip;
	vf_store(d.outside, type == ISK_U8 ? vi_float(vi_set1_u8((uint8_t)p->a_zero)) : vf_set1(0));
	for (t.image = 0; t.image < s->images; t.image++)
		for (size_t r = 0; r < lines; r += rows) {
			t.row = r + rows > lines ? r - 1 : r;
			t.skip_row = r - t.row;
			for (size_t done = 0; slid && done < places; done += span) {
				begin_tile(&t, done, places, span, type);
				slide_any(&d, &t, kernel, span, store, type);
			}
			for (t.row = r; slid < p->n && t.row < lines && t.row < r + rows; t.row++)
				for (size_t done = 0; done < places; done += SPAN) {
					begin_tile(&t, done, places, SPAN, type);
					t.j = slid;
					any_channels(&d, &t, general, store, type);
				}
		}
}

#endif
