/* SPDX-License-Identifier: MIT */
/*
 * Depthwise convolution: a vector is VL channels, the taps of a sum are added in
 * the order of k. Bytes are widened to lanes of 32 bits and take vi_dot, which
 * then multiplies one byte by one, and is as fast as an FMA.
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

#include "conv_patch.h"

#define SPAN 7

/*
 * Activations that are a clamp need no second pass over the sums: they are
 * min(high, max(low, x) + zero), where zero is -0 or, for relu, what turns -0
 * into 0.
 */
struct clamp {
	float low, high, zero;
};

/* A call, and what is worked out from it once. */
struct depthwise {
	void *y;
	const void *x;
	const unsigned char *panels;
	const struct isk_conv *conv;
	const struct isk_conv_sizes *s;
	const struct isk_post *post;
	const int32_t *sums; /* s8 only: of the weights of each output */
	struct clamp clamp;
	int clamps; /* whether the post-operations end with the clamp */
	float outside[VL]; /* as many elements as a vector has lanes, of x outside the image */
};

static inline int clamp_of(const struct isk_post *post, struct clamp *c)
{
	*c = (struct clamp){-__builtin_inff(), __builtin_inff(), -0.0f};
	switch (post->act) {
	case ISK_ACT_NONE:
		break;
	case ISK_ACT_RELU:
		*c = (struct clamp){0, __builtin_inff(), 0};
		break;
	case ISK_ACT_RELU6:
		*c = (struct clamp){0, 6, 0};
		break;
	case ISK_ACT_HARDTANH:
		*c = (struct clamp){post->act_a, post->act_b, -0.0f};
		break;
	default:
		return 0;
	}
	return post->binary == ISK_BINARY_NONE;
}

/* Sums, and what is multiplied, are vectors of f32 or of int32_t, in registers of the same kind. */
ISK_INLINE vf x_load(const void *x, size_t at, size_t n, const enum isk_type type)
{
	switch (type) {
	case ISK_BF16:
		return n >= VL ? vf_load_bf16((const uint16_t *)x + at)
		               : vf_load_bf16_n((const uint16_t *)x + at, n);
	case ISK_S8:
		return vi_float(n >= VL ? vi_load_u8((const uint8_t *)x + at)
		                        : vi_load_u8_n((const uint8_t *)x + at, n));
	default:
		return vf_load_upto((const float *)x + at, n);
	}
}

/* Tap t of VL columns of a panel: line is its first one, moved to those columns. */
ISK_INLINE vf tap_load(const unsigned char *line, size_t t, const enum isk_type type)
{
	const size_t group = type == ISK_S8 ? 4 : type == ISK_BF16 ? 2 : 1;
	const vi w = vi_load((const int32_t *)(const void *)(line + t / group * ISK_PACKED_LINE));

	switch (type) {
	case ISK_BF16:
		return vi_float(t % 2 ? w & (int32_t)0xffff0000 : w << 16);
	case ISK_S8: /* whatever is above the lowest byte is multiplied by 0 */
		return vi_float(vi_dot_b(w >> (int)(t % 4 * 8), 0));
	default:
		return vi_float(w);
	}
}

ISK_INLINE vf multiply_add(vf sum, vf x, vf tap, const enum isk_type type)
{
	return type == ISK_S8 ? vi_float(vi_dot(vf_bits(sum), vf_bits(x), vf_bits(tap))) : vf_fma(x, tap, sum);
}

/*
 * SPAN output pixels of a row, of which those from skip to count are wanted, or
 * of two rows, of which those from skip_row on are; of them n channels from j on.
 */
struct tile {
	size_t image, row, col, skip, count, skip_row, j, n;
};

/* One row of a tile from sums to y; x_sums is NULL unless weights have zero points. */
typedef void store_fn(const struct depthwise *d, const struct tile *t, size_t row, const vf sums[SPAN],
                      const vi *x_sums);

#define DEFINE_STORE(name, finish, x_type, y_type)                             \
	static void name(const struct depthwise *d, const struct tile *t, size_t row,  \
	                 const vf sums[SPAN], const vi *x_sums)                    \
	{                                                                          \
		store_sums(d, t, row, sums, x_sums, finish, x_type, y_type);           \
	}

/* What zero points take from the sums of a row of a tile, where x_sums are those of x for each or NULL. */
ISK_INLINE void take_zeros(const struct depthwise *d, vi sums[SPAN], const vi *x_sums, size_t j, size_t n)
{
	const struct isk_post *post = d->post;
	const vi zero = post->b_zeros == 1 ? vi_set1(*post->b_zero)
	                : post->b_zeros    ? vi_load_n(post->b_zero + j, n < VL ? n : VL)
	                                   : vi_set1(0);
	const int32_t all = (int32_t)((uint32_t)d->s->k * (uint32_t)post->a_zero);
	const vi all_w = vi_load(d->sums + j) * post->a_zero;

#pragma GCC unroll 7
	for (size_t p = 0; p < SPAN; p++)
		sums[p] -= x_sums ? all_w + zero * (x_sums[p] - all) : all_w;
}

/* What post-operations do to a vector of sums before the clamp; a missing scale is 1, a missing bias -0. */
struct linear {
	vf scale, bias;
};

ISK_INLINE struct linear linear_of(const struct isk_post *post, size_t j, size_t n)
{
	return (struct linear){post->scales == 0   ? vf_set1(1)
	                       : post->scales == 1 ? vf_set1(*post->scale)
	                                           : vf_load_upto(post->scale + j, n),
	                       post->bias ? vf_load_upto(post->bias + j, n) : vf_set1(-0.0f)};
}

ISK_INLINE vf clamped(const struct depthwise *d, vf x, struct linear l)
{
	return vf_min(vf_set1(d->clamp.high),
	              vf_max(vf_set1(d->clamp.low), vf_fma(x, l.scale, l.bias)) + vf_set1(d->clamp.zero));
}

/* The first count sums of a row of a tile that only the clamp follows, of n channels. */
ISK_INLINE void store_clamped(const struct depthwise *d, const struct tile *t, size_t row,
                              const vf sums[SPAN], size_t count, size_t n, const enum isk_c type)
{
	const size_t pixel = (t->image * d->s->out_height + row) * d->s->out_width + t->col;
	const struct linear l = linear_of(d->post, t->j, n);
	const struct quantizer q = quantizer(d->post->out_scale, d->post->out_zero, 0, UINT8_MAX);

	if (type == C_BF16 && n >= VL) {
		vf x[SPAN];

#pragma GCC unroll 7
		for (size_t p = 0; p < SPAN; p++)
			x[p] = clamped(d, sums[p], l);
		vf_store_bf16_rows((uint16_t *)d->y + pixel * d->s->ldy + t->j, d->s->ldy, x, SPAN, t->skip, count);
		return;
	}
#pragma GCC unroll 7
	for (size_t p = 0; p < SPAN; p++)
		if (p >= t->skip && p < count)
			c_store(d->y, (pixel + p) * d->s->ldy + t->j, n, clamped(d, sums[p], l), q, type);
}

/*
 * A row of a tile of whole vectors of s32. It is little beside the sums, but
 * calling a function would take all sums of the tile to memory and back.
 */
ISK_INLINE void store_integers(const struct depthwise *d, const struct tile *t, size_t row,
                               const vf sums[SPAN])
{
	const size_t pixel = (t->image * d->s->out_height + row) * d->s->out_width + t->col;
	const vi zeros = vi_load(d->sums + t->j) * d->post->a_zero;
	int32_t *y = (int32_t *)d->y + pixel * d->s->ldy + t->j;

#pragma GCC unroll 7
	for (size_t p = 0; p < SPAN; p++, y += d->s->ldy)
		if (p >= t->skip)
			vi_store(y, vf_bits(sums[p]) - zeros);
}

ISK_INLINE void store_sums(const struct depthwise *d, const struct tile *t, size_t row, const vf sums[SPAN],
                           const vi *x_sums, finish_fn *finish, const enum isk_type x_type,
                           const enum isk_c type)
{
	const size_t pixel = (t->image * d->s->out_height + row) * d->s->out_width + t->col, j = t->j, n = t->n;
	vi integers[SPAN];
	vf x[SPAN];

#pragma GCC unroll 7
	for (size_t p = 0; p < SPAN; p++) {
		x[p] = sums[p];
		integers[p] = vf_bits(x[p]);
	}
	if (x_type == ISK_S8) {
		take_zeros(d, integers, x_sums, j, n);
#pragma GCC unroll 7
		for (size_t p = 0; p < SPAN; p++)
			x[p] = type == C_S32 ? vi_float(integers[p]) : vi_to_vf(integers[p]);
	}
	if (type == C_S32) {
#pragma GCC unroll 7
		for (size_t p = 0; p < SPAN; p++)
			if (p >= t->skip && p < t->count)
				vf_store_upto((float *)d->y + (pixel + p) * d->s->ldy + j, x[p], n);
	} else if (d->clamps) {
		store_clamped(d, t, row, x, t->count, n, type);
	} else {
		finish(d->y, d->s->ldy, (const float *)(x + t->skip), VL, pixel + t->skip, j, t->count - t->skip,
		       n < VL ? n : VL, d->post);
	}
}

/*
 * A tile on two rows, of a kernel of 3 by 3 with a padding of at most 1 on the
 * left and on the right, VL channels. Row and column of a tap are counted from
 * the padding; one before the image then wraps around and is, like one after it,
 * not below its size. Only the first and the last column can lie outside.
 */
ISK_INLINE void slide(const struct depthwise *d, const struct tile *t, const vf taps[9], const int stride,
                      store_fn *store, const enum isk_type type, const enum isk_c y_type)
{
	const struct isk_conv *conv = d->conv;
	const size_t top = t->row * (size_t)stride - conv->pad_top;
	const size_t left = t->col * (size_t)stride - conv->pad_left;
	const size_t bytes = type == ISK_F32 ? 4 : type == ISK_BF16 ? 2 : 1;
	const int last = 2 + (SPAN - 1) * stride;
	const int first_there = left < conv->width, last_there = left + (size_t)last < conv->width;
	vf acc[2][SPAN], sums[SPAN];

#pragma GCC unroll 2
	for (int h = 0; h < 2; h++)
#pragma GCC unroll 7
		for (int p = 0; p < SPAN; p++)
			acc[h][p] = vf_set1(0);
#pragma GCC unroll 5
	for (int i = 0; i < 3 + stride; i++) {
		const size_t at =
			((t->image * conv->height + top + (size_t)i) * conv->width + left) * d->s->ldx + t->j;
		const int there = top + (size_t)i < conv->height;
		const unsigned char *row =
			there ? (const unsigned char *)d->x + at * bytes : (const unsigned char *)d->outside;
		const size_t step = there ? d->s->ldx * bytes : 0;

#pragma GCC unroll 15
		for (int c = 0; c <= last; c++, row += step) {
			const int in = c == 0 ? first_there : c == last ? last_there : 1;
			const vf x = x_load(in ? row : (const unsigned char *)d->outside, 0, VL, type);

#pragma GCC unroll 2
			for (int h = 0; h < 2; h++)
#pragma GCC unroll 3
				for (int v = 2; v >= 0; v--) {
					const int u = i - h * stride, p = (c - v) / stride;

					if (u >= 0 && u < 3 && c >= v && (c - v) % stride == 0 && p < SPAN)
						acc[h][p] = vf_now(multiply_add(acc[h][p], x, taps[u * 3 + v], type));
				}
		}
	}
#pragma GCC unroll 2
	for (int h = 0; h < 2; h++) {
		if ((size_t)h < t->skip_row)
			continue;
		if (type != ISK_S8 && d->clamps) {
			store_clamped(d, t, t->row + (size_t)h, acc[h], SPAN, VL, y_type);
			continue;
		}
		if (type == ISK_S8 && y_type == C_S32) {
			store_integers(d, t, t->row + (size_t)h, acc[h]);
			continue;
		}
#pragma GCC unroll 7
		for (int p = 0; p < SPAN; p++)
			sums[p] = acc[h][p];
		store(d, t, t->row + (size_t)h, sums, NULL);
	}
}

/*
 * A tile of any other convolution. edge: some taps may lie outside the image, or
 * some channels of the vector do not exist. general: with zero points of weights,
 * or several outputs for a channel of x.
 */
ISK_INLINE void any(const struct depthwise *d, const struct tile *t, const unsigned char *line,
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
					x = x_load(d->x, at, n, type);
				x = general ? vf_lanes(x, lanes) : x;
				acc[p] = multiply_add(acc[p], x, w, type);
				if (general && type == ISK_S8)
					x_sums[p] += vf_bits(x);
			}
		}
	}
#pragma GCC unroll 7
	for (size_t p = 0; p < SPAN; p++)
		sums[p] = acc[p];
	store(d, t, t->row, sums, general && type == ISK_S8 ? x_sums : NULL);
}

/* Places from which no tap lies outside the image, along one axis: from first up to, not including, end. */
struct inside {
	size_t first, end;
};

static inline struct inside inside_of(size_t size, size_t before, size_t places, size_t taps, size_t stride,
                                      size_t dilation)
{
	const size_t reach = (taps - 1) * dilation;
	struct inside in = {before / stride + (before % stride != 0), 0};

	/* place * stride - before + reach < size */
	if (reach < size)
		in.end = (size - reach - 1 + before) / stride + 1;
	in.end = in.end < places ? in.end : places;
	return in;
}

/* Whether taps outside the image, or channels that do not exist, are to be looked for. */
ISK_INLINE int tile_edge(const struct tile *t, struct inside row, struct inside col)
{
	return t->row < row.first || t->row >= row.end || t->col < col.first || t->col + SPAN > col.end
	       || t->n < VL;
}

#define EACH_TILE(t, width)                                                    \
	for ((t).skip = 0, (t).col = 0, (t).count = (width) < SPAN ? (width) : SPAN; (t).count > (t).skip;  \
	     next_tile(&(t), width))

/* The next tile of the row; none: skip becomes count. */
ISK_INLINE void next_tile(struct tile *t, size_t width)
{
	const size_t done = t->col + t->count;

	t->col = done + SPAN <= width ? done : width - t->count;
	t->skip = done < width ? done - t->col : t->count;
}

/* All channels of a tile of two rows, in order: so x is read in order too, in each pixel. */
ISK_INLINE void slide_channels(const struct depthwise *d, struct tile *t, size_t panel, const int stride,
                               store_fn *store, const enum isk_type type, const enum isk_c y_type)
{
	for (t->j = 0; d->conv->out_channels - t->j >= VL; t->j += VL) {
		const unsigned char *line = d->panels + t->j / ISK_PACKED_PANEL * panel + t->j % ISK_PACKED_PANEL * 4;
		vf taps[9];

#pragma GCC unroll 9
		for (size_t i = 0; i < 9; i++)
			taps[i] = tap_load(line, i, type);
		slide(d, t, taps, stride, store, type, y_type);
	}
}

/* All channels of a tile of one row from t->j on. */
ISK_INLINE void any_channels(const struct depthwise *d, struct tile *t, size_t panel, int general,
                             struct inside row, struct inside col, store_fn *store, const enum isk_type type)
{
	for (; t->j < d->conv->out_channels; t->j += VL) {
		const unsigned char *line = d->panels + t->j / ISK_PACKED_PANEL * panel + t->j % ISK_PACKED_PANEL * 4;

		t->n = d->conv->out_channels - t->j;
		if (general)
			any(d, t, line, 1, 1, store, type);
		else if (tile_edge(t, row, col))
			any(d, t, line, 1, 0, store, type);
		else
			any(d, t, line, 0, 0, store, type);
	}
}

/* All of it. Rows go in pairs where they slide, the last pair back over a row that is done. */
ISK_INLINE void depthwise(const struct call *call, store_fn *store, const enum isk_type type,
                          const enum isk_c y_type)
{
	const struct isk_conv *c = call->conv;
	const size_t panel = isk_packed_depth(type, call->s->k) * ISK_PACKED_LINE;
	const size_t height = call->s->out_height, width = call->s->out_width;
	const int general = call->s->multiplier > 1 || call->post->b_zeros;
	const int slides = c->kernel_h == 3 && c->kernel_w == 3 && c->dilation_h == 1 && c->dilation_w == 1
	                   && !general && c->stride_h == c->stride_w && c->stride_h <= 2 && c->pad_left <= 1
	                   && c->pad_right <= 1 && height > 1 && width >= SPAN;
	const struct inside row =
		inside_of(c->height, c->pad_top, height, c->kernel_h, c->stride_h, c->dilation_h);
	const struct inside col =
		inside_of(c->width, c->pad_left, width, c->kernel_w, c->stride_w, c->dilation_w);
	struct depthwise d = {
		.y = call->y,
		.x = call->x,
		.panels = call->packed + ISK_PACKED_LINE,
		.conv = c,
		.s = call->s,
		.post = call->post,
	};
	struct tile t;

	d.sums = (const int32_t *)(const void *)(d.panels + isk_packed_panels(c->out_channels) * panel);
	d.clamps = clamp_of(d.post, &d.clamp);
	vf_store(d.outside, type == ISK_S8 ? vi_float(vi_set1_u8((uint8_t)d.post->a_zero)) : vf_set1(0));
	for (t.image = 0; t.image < c->images; t.image++)
		for (size_t r = 0; r < height; r += slides ? 2 : 1)
			EACH_TILE (t, width) {
				size_t first;

				t.n = VL;
				t.row = slides && r + 1 == height ? r - 1 : r;
				t.skip_row = r - t.row;
				if (slides && c->stride_w == 1)
					slide_channels(&d, &t, panel, 1, store, type, y_type);
				else if (slides)
					slide_channels(&d, &t, panel, 2, store, type, y_type);
				first = slides ? t.j : 0;
				for (t.row = r; t.row < height && t.row < r + (slides ? 2 : 1); t.row++) {
					t.j = first;
					any_channels(&d, &t, panel, general, row, col, store, type);
				}
			}
}

#endif
