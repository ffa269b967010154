/* SPDX-License-Identifier: MIT */
/*
 * Depthwise convolution: a vector is VL channels, the taps of a sum are added in
 * the order of k. Bytes are widened to lanes of 32 bits and take vi_dot, which
 * then multiplies one byte by one, and is as fast as an FMA. A template, by the
 * type of x.
 *
 * A tile is SPAN output pixels of a row. Rows of 7, 14, 28, 56 and 112 pixels
 * have no rest of 7; where there is one, the last tile reaches back over pixels
 * that are done, and does not store them again. The usual kernels of 3 by 3
 * slide over tiles of two rows: each vector of x is loaded once for all sums that
 * it is part of, and they still see their taps in order, since rows and columns
 * come in ascending order.
 */
#ifndef ISK_DEPTHWISE_H
#define ISK_DEPTHWISE_H

#include "conv.h"
#include "micro.h"
#include "post.h"
#include "quantize.h"

#define SPAN 7

/* A call, and what is worked out from it once. */
struct depthwise {
	const struct call *call;
	const unsigned char *panels;
	const struct isk_conv *conv;
	const struct isk_conv_sizes *s;
	const struct isk_post *post;
	const int32_t *sums; /* s8 only: of the weights of each output */
	struct clamp clamp;
	int clamps; /* whether the post-operations end with the clamp */
	float outside[VL]; /* as many elements as a vector has lanes, of x outside the image */
};

/* VL elements of x, of which n are there: f32, or integers in registers of the same kind. */
ISK_INLINE vf x_load(const void *x, size_t at, size_t n, const enum isk_type type)
{
	return type == ISK_U8 ? vi_float(vi_load_as(x, at, n, type)) : vf_load_as(x, at, n, type);
}

/* Tap t of VL columns of a panel: line is its first one, moved to those columns. */
ISK_INLINE vf tap_load(const unsigned char *line, size_t t, const enum isk_type type)
{
	const size_t group = type == ISK_U8 ? 4 : type == ISK_BF16 ? 2 : 1;
	const vi w = vi_load((const int32_t *)(const void *)(line + t / group * ISK_PACKED_LINE));

	switch (type) {
	case ISK_BF16:
		return vi_float(t % 2 ? w & (int32_t)0xffff0000 : w << 16);
	case ISK_U8: /* whatever is above the lowest byte is multiplied by 0 */
		return vi_float(vi_dot_b(w >> (int)(t % 4 * 8), 0));
	default:
		return vi_float(w);
	}
}

ISK_INLINE vf add_tap(vf sum, vf x, vf tap, const enum isk_type type)
{
	return multiply_add(sum, x, tap, type == ISK_U8 ? FOURS : WIDE_F32);
}

/*
 * SPAN output pixels of a row, of which those from skip to count are wanted, or
 * of two rows, of which those from skip_row on are; of them n channels from j on.
 */
struct span_tile {
	size_t image, row, col, skip, count, skip_row, j, n;
};

/* The first pixel of a row of a tile, counted through all of y. */
ISK_INLINE size_t pixel_of(const struct depthwise *d, const struct span_tile *t, size_t row)
{
	return (t->image * d->s->out_height + row) * d->s->out_width + t->col;
}

/* What zero points take from the sums of a row of a tile, where x_sums are those of x for each or NULL. */
ISK_INLINE void take_zeros(const struct depthwise *d, vf sums[SPAN], const vi *x_sums, size_t j, size_t n)
{
	const struct isk_post *post = d->post;
	const vi zero = post->b_zeros == 1 ? vi_set1(*post->b_zero)
	                : post->b_zeros    ? vi_load_as(post->b_zero, j, n, ISK_S32)
	                                   : vi_set1(0);
	const int32_t all = (int32_t)((uint32_t)d->s->k * (uint32_t)post->a_zero);
	const vi all_w = vi_load(d->sums + j) * post->a_zero;

#pragma GCC unroll 7
	for (size_t p = 0; p < SPAN; p++)
		sums[p] = vi_float(vf_bits(sums[p]) - (x_sums ? all_w + zero * (x_sums[p] - all) : all_w));
}

/*
 * The wanted pixels of a row of a tile, up to count, of n channels, where nothing or only
 * the clamp follows. This is little beside the sums, but calling a function would take
 * all sums of the tile to memory and back.
 */
ISK_INLINE void store_here(const struct depthwise *d, const struct span_tile *t, size_t row, vf sums[SPAN],
                           size_t count, size_t n, const enum isk_type type)
{
	const size_t ldy = d->s->ldy, at = pixel_of(d, t, row) * ldy + t->j;
	void *const y = d->call->y;
	const struct linear l = linear_of(d->post, t->j, n);
	const struct quantizer q = quantizer(d->post->out_scale, d->post->out_zero, type);

	if (type != ISK_S32)
#pragma GCC unroll 7
		for (size_t p = 0; p < SPAN; p++)
			sums[p] = clamp(vf_fma(sums[p], l.scale, l.bias), d->clamp);
	if (type == ISK_BF16 && n >= VL) {
		vf_store_bf16_rows((uint16_t *)y + at, ldy, sums, SPAN, t->skip, count);
		return;
	}
#pragma GCC unroll 7
	for (size_t p = 0; p < SPAN; p++)
		if (p < t->skip || p >= count)
			continue;
		else if (type == ISK_U8)
			vi_store_as(y, at + p * ldy, quantize(sums[p], q), n, type);
		else if (type == ISK_S32)
			vi_store_as(y, at + p * ldy, vf_bits(sums[p]), n, type);
		else
			vf_store_as(y, at + p * ldy, sums[p], n, type);
}

/* One row of a tile from sums to y; x_sums is NULL unless weights have zero points. */
typedef void store_fn(const struct depthwise *d, const struct span_tile *t, size_t row, vf sums[SPAN],
                      const vi *x_sums);

ISK_INLINE void store_sums(const struct depthwise *d, const struct span_tile *t, size_t row, vf sums[SPAN],
                           const vi *x_sums, const enum isk_type x_type, const enum isk_type type)
{
	if (x_type == ISK_U8)
		take_zeros(d, sums, x_sums, t->j, t->n);
	if (x_type == ISK_U8 && type != ISK_S32)
#pragma GCC unroll 7
		for (size_t p = 0; p < SPAN; p++)
			sums[p] = vi_to_vf(vf_bits(sums[p]));
	if (type == ISK_S32 || d->clamps)
		store_here(d, t, row, sums, t->count, t->n, type);
	else
		d->call->epilogue(&(struct epilogue){d->call->y, d->s->ldy, (float *)(sums + t->skip), VL,
		                                     pixel_of(d, t, row) + t->skip, t->j, t->count - t->skip,
		                                     t->n < VL ? t->n : VL, d->post});
}

/* A function for the stores of one type of y. */
#define DEFINE_STORE(name, x_type, y_type)                                     \
	static void name(const struct depthwise *d, const struct span_tile *t, size_t row, vf sums[SPAN], \
	                 const vi *x_sums)                                         \
	{                                                                          \
		store_sums(d, t, row, sums, x_sums, x_type, y_type);                   \
	}

/* A row of x under a tile, found once for all channels. One outside the image is one vector over and over. */
struct x_row {
	const unsigned char *x; /* where it begins */
	size_t mask;            /* of the bytes from there on: all ones inside the image, 0 outside */
};

/*
 * A tile on two rows, of a kernel of 3 by 3 with a padding of at most 1 on the
 * left and on the right, VL channels. Row and column of a tap are counted from
 * the padding; one before the image then wraps around and is, like one after it,
 * not below its size. Only the first and the last column can lie outside.
 */
ISK_INLINE void slide(const struct depthwise *d, const struct span_tile *t, const struct x_row *rows,
                      const vf taps[9], const int stride, store_fn *store, const enum isk_type type,
                      const enum isk_type y_type)
{
	const size_t left = t->col * (size_t)stride - d->conv->pad_left, bytes = isk_element_bytes(type);
	const size_t pixel = d->s->ldx * bytes, channels = t->j * bytes;
	const int last = 2 + (SPAN - 1) * stride;
	const int first_there = left < d->conv->width, last_there = left + (size_t)last < d->conv->width;
	vf acc[2][SPAN], sums[SPAN];

#pragma GCC unroll 2
	for (int h = 0; h < 2; h++)
#pragma GCC unroll 7
		for (int p = 0; p < SPAN; p++)
			acc[h][p] = vf_set1(0);
#pragma GCC unroll 5
	for (int i = 0; i < 3 + stride; i++) {
		const unsigned char *at = rows[i].x + (channels & rows[i].mask);
		const size_t step = pixel & rows[i].mask;

#pragma GCC unroll 15
		for (int c = 0; c <= last; c++, at += step) {
			const int in = c == 0 ? first_there : c == last ? last_there : 1;
			const vf x = x_load(in ? at : (const unsigned char *)d->outside, 0, VL, type);

#pragma GCC unroll 2
			for (int h = 0; h < 2; h++)
#pragma GCC unroll 3
				for (int v = 2; v >= 0; v--) {
					const int u = i - h * stride, p = (c - v) / stride;

					if (u >= 0 && u < 3 && c >= v && (c - v) % stride == 0 && p < SPAN)
						acc[h][p] = vf_now(add_tap(acc[h][p], x, taps[u * 3 + v], type));
				}
		}
	}
#pragma GCC unroll 2
	for (int h = 0; h < 2; h++) {
		const size_t row = t->row + (size_t)h;

		if ((size_t)h < t->skip_row)
			continue;
		if (y_type == ISK_S32 || (type != ISK_U8 && d->clamps)) {
			if (type == ISK_U8)
				take_zeros(d, acc[h], NULL, t->j, VL);
			store_here(d, t, row, acc[h], SPAN, VL, y_type);
			continue;
		}
#pragma GCC unroll 7
		for (int p = 0; p < SPAN; p++)
			sums[p] = acc[h][p];
		store(d, t, row, sums, NULL);
	}
}

/*
 * A tile of any other convolution. edge: some taps may lie outside the image, or
 * some channels of the vector do not exist. general: with zero points of weights,
 * or several outputs for a channel of x.
 */
ISK_INLINE void any(const struct depthwise *d, const struct span_tile *t, const unsigned char *line,
                    const int edge, const int general, store_fn *store, const enum isk_type type)
{
	const struct isk_conv *conv = d->conv;
	const size_t m = general ? d->s->multiplier : 1, j = t->j / m;
	const size_t n = general ? conv->channels - j : edge ? t->n : VL, step = conv->stride_w * d->s->ldx;
	const vf outside = x_load(d->outside, 0, VL, type);
	vi lanes = vi_iota(), x_sums[SPAN];
	vf acc[SPAN], sums[SPAN];

#pragma GCC unroll 16
	for (int i = 0; i < VL; i++)
		if (general)
			lanes[i] = (int32_t)((t->j % m + (size_t)i) / m);
#pragma GCC unroll 7
	for (size_t p = 0; p < SPAN; p++) {
		acc[p] = vf_set1(0);
		x_sums[p] = vi_set1(0);
	}
	for (size_t u = 0, tap = 0; u < conv->kernel_h; u++) {
		const size_t row = t->row * conv->stride_h + u * conv->dilation_h - conv->pad_top;

		for (size_t v = 0; v < conv->kernel_w; v++, tap++) {
			const vf w = tap_load(line, tap, type);
			size_t col = t->col * conv->stride_w + v * conv->dilation_w - conv->pad_left;
			size_t at = ((t->image * conv->height + row) * conv->width + col) * d->s->ldx + j;

#pragma GCC unroll 7
			for (size_t p = 0; p < SPAN; p++, col += conv->stride_w, at += step) {
				vf x = outside;

				if (!edge || (row < conv->height && col < conv->width))
					x = x_load(d->call->x, at, n, type);
				x = general ? vf_lanes(x, lanes) : x;
				acc[p] = add_tap(acc[p], x, w, type);
				if (general && type == ISK_U8)
					x_sums[p] += vf_bits(x);
			}
		}
	}
#pragma GCC unroll 7
	for (size_t p = 0; p < SPAN; p++)
		sums[p] = acc[p];
	store(d, t, t->row, sums, general && type == ISK_U8 ? x_sums : NULL);
}

/* All channels of a tile of two rows, in order: so x is read in order too, in each pixel. */
ISK_INLINE void slide_channels(const struct depthwise *d, struct span_tile *t, size_t panel, const int stride,
                               store_fn *store, const enum isk_type type, const enum isk_type y_type)
{
	const size_t top = t->row * (size_t)stride - d->conv->pad_top, left = t->col * (size_t)stride - d->conv->pad_left;
	struct x_row rows[5];

	for (size_t i = 0; i < 3 + (size_t)stride; i++) {
		const size_t at = ((t->image * d->conv->height + top + i) * d->conv->width + left) * d->s->ldx;

		if (top + i < d->conv->height)
			rows[i] = (struct x_row){(const unsigned char *)d->call->x + at * isk_element_bytes(type), SIZE_MAX};
		else
			rows[i] = (struct x_row){(const unsigned char *)d->outside, 0};
	}
	for (t->j = 0; d->conv->out_channels - t->j >= VL; t->j += VL) {
		const unsigned char *line = d->panels + t->j / ISK_PACKED_PANEL * panel + t->j % ISK_PACKED_PANEL * 4;
		vf taps[9];

#pragma GCC unroll 9
		for (size_t i = 0; i < 9; i++)
			taps[i] = tap_load(line, i, type);
		slide(d, t, rows, taps, stride, store, type, y_type);
	}
}

/* All channels of a tile of one row from t->j on. */
ISK_INLINE void any_channels(const struct depthwise *d, struct span_tile *t, size_t panel, int general,
                             struct span row, struct span col, store_fn *store, const enum isk_type type)
{
	const int outside =
		t->row < row.first || t->row >= row.end || t->col < col.first || t->col + SPAN > col.end;

	for (; t->j < d->conv->out_channels; t->j += VL) {
		const unsigned char *line = d->panels + t->j / ISK_PACKED_PANEL * panel + t->j % ISK_PACKED_PANEL * 4;

		t->n = d->conv->out_channels - t->j;
		if (general)
			any(d, t, line, 1, 1, store, type);
		else if (outside || t->n < VL)
			any(d, t, line, 1, 0, store, type);
		else
			any(d, t, line, 0, 0, store, type);
	}
}

/* All of it. Rows go in pairs where they slide, the last pair back over a row that is done. */
ISK_INLINE void depthwise(const struct call *call, store_fn *store, const enum isk_type type,
                          const enum isk_type y_type)
{
	const struct isk_conv *c = call->conv;
	const size_t panel = isk_packed_depth(call->w_type, call->s->k) * ISK_PACKED_LINE;
	const struct axis down = axis_down(c, call->s), along = axis_along(c, call->s);
	const struct span row = places_inside(&down), col = places_inside(&along);
	const int general = call->s->multiplier > 1 || call->post->b_zeros;
	const int slides = c->kernel_h == 3 && c->kernel_w == 3 && c->dilation_h == 1 && c->dilation_w == 1
	                   && !general && c->stride_h == c->stride_w && c->stride_h <= 2 && c->pad_left <= 1
	                   && c->pad_right <= 1 && down.places > 1 && along.places >= SPAN;
	struct depthwise d = {
		.call = call,
		.panels = call->packed + ISK_PACKED_LINE,
		.conv = c,
		.s = call->s,
		.post = call->post,
	};
	struct span_tile t;

	d.sums = (const int32_t *)(const void *)(d.panels + isk_packed_panels(c->out_channels) * panel);
	d.clamps = clamp_of(d.post, &d.clamp) && d.post->binary == ISK_BINARY_NONE;
	vf_store(d.outside, type == ISK_U8 ? vi_float(vi_set1_u8((uint8_t)d.post->a_zero)) : vf_set1(0));
	for (t.image = 0; t.image < c->images; t.image++)
		for (size_t r = 0; r < down.places; r += slides ? 2 : 1)
			for (size_t done = 0; done < along.places; done += SPAN) {
				size_t first;

				t.count = along.places < SPAN ? along.places : SPAN;
				t.col = done + t.count < along.places ? done : along.places - t.count;
				t.skip = done - t.col;
				t.n = VL;
				t.row = slides && r + 1 == down.places ? r - 1 : r;
				t.skip_row = r - t.row;
				if (slides && c->stride_w == 1)
					slide_channels(&d, &t, panel, 1, store, type, y_type);
				else if (slides)
					slide_channels(&d, &t, panel, 2, store, type, y_type);
				first = slides ? t.j : 0;
				for (t.row = r; t.row < down.places && t.row < r + (slides ? 2 : 1); t.row++) {
					t.j = first;
					any_channels(&d, &t, panel, general, row, col, store, type);
				}
			}
}

#endif
