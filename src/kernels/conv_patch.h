/* SPDX-License-Identifier: MIT */
/*
 * What all convolutions share: their checks, and how one that is not depthwise
 * becomes the product of the weights of a group and a matrix of output pixels by
 * taps and channels. That matrix never exists: its rows are fetched from the
 * image, a tile at a time, as rows of any A are.
 */
#ifndef ISK_CONV_PATCH_H
#define ISK_CONV_PATCH_H

#include "conv.h"
#include "gemm_post.h"

/* The arguments of a kernel, once they are checked. */
struct call {
	void *y;
	const void *x;
	const unsigned char *packed;
	const struct isk_conv *conv;
	const struct isk_conv_sizes *s;
	const struct isk_post *post;
};

/* The matrix A: x is moved to the first channel of the group. */
struct patches {
	const void *x;
	const struct isk_conv *conv;
	const struct isk_conv_sizes *s;
};

/* n elements side by side in an image, from element x on, or outside if x is SIZE_MAX. */
struct run {
	size_t x, n;
};

/*
 * A place in the patch of an output pixel. It goes from tap to tap and from pixel
 * to pixel by adding: modulo 2^64, so that what lies before the image is, like
 * what lies after it, not below its size. What it needs of the convolution is
 * copied, since stores to memory could change what is there.
 */
struct walk {
	size_t height, width, channels, kernel_w, dilation_h, dilation_w;
	size_t joined; /* taps of a row that lie side by side: all, or one */
	size_t tap, tap_row; /* elements from a tap to the next one, and from the last one of a row */
	size_t row, col, at, v, channel; /* at: the element of x at (row, col) */
};

/* The same for pixels; their taps are elsewhere. */
struct pixel {
	size_t line, place; /* of y, in its image */
	size_t row, col, at; /* of the first tap */
};

ISK_INLINE struct pixel pixel_from(const struct patches *a, size_t n)
{
	const struct isk_conv *c = a->conv;
	const size_t lines = n / a->s->out_width, image = lines / a->s->out_height;
	struct pixel p = {.line = lines % a->s->out_height, .place = n % a->s->out_width};

	p.row = p.line * c->stride_h - c->pad_top;
	p.col = p.place * c->stride_w - c->pad_left;
	p.at = ((image * c->height + p.row) * c->width + p.col) * a->s->ldx;
	return p;
}

ISK_INLINE void next_pixel(const struct patches *a, struct pixel *p)
{
	const struct isk_conv *c = a->conv;
	const size_t width = a->s->out_width * c->stride_w, height = a->s->out_height * c->stride_h;

	p->col += c->stride_w;
	p->at += c->stride_w * a->s->ldx;
	if (++p->place < a->s->out_width)
		return;
	p->place = 0;
	p->col -= width;
	p->row += c->stride_h;
	p->at += (c->stride_h * c->width - width) * a->s->ldx;
	if (++p->line < a->s->out_height)
		return;
	p->line = 0;
	p->row -= height;
	p->at += (c->height - height) * c->width * a->s->ldx;
}

/* Element at of a patch, as if its pixel were at the first element of x. */
ISK_INLINE struct walk walk_from(const struct patches *a, size_t at)
{
	const struct isk_conv *c = a->conv;
	const size_t channels = c->channels / c->groups, tap = c->dilation_w * a->s->ldx;
	const size_t u = at / channels / c->kernel_w, v = at / channels % c->kernel_w;

	return (struct walk){
		.height = c->height,
		.width = c->width,
		.channels = channels,
		.kernel_w = c->kernel_w,
		.dilation_h = c->dilation_h,
		.dilation_w = c->dilation_w,
		.joined = tap == channels ? c->kernel_w : 1,
		.tap = tap,
		.tap_row = c->dilation_h * c->width * a->s->ldx - c->kernel_w * tap,
		.row = u * c->dilation_h,
		.col = v * c->dilation_w,
		.at = u * c->dilation_h * c->width * a->s->ldx + v * tap,
		.v = v,
		.channel = at % channels,
	};
}

/* The same element of the patch of this pixel. */
ISK_INLINE struct walk walk_at(struct walk w, struct pixel p)
{
	w.row += p.row;
	w.col += p.col;
	w.at += p.at;
	return w;
}

/* The next run of at most k elements, which are not none. */
ISK_INLINE struct run walk_on(struct walk *w, size_t k)
{
	const int there = w->row < w->height && w->col < w->width;
	struct run run = {.x = there ? w->at + w->channel : SIZE_MAX, .n = w->channels - w->channel};
	size_t taps = 1;

	if (w->joined > 1) {
		/* Up to where the row of the image ends, or begins; it does neither where it is empty. */
		const size_t edge = there ? w->width - w->col : 0 - w->col;

		taps = w->kernel_w - w->v;
		if (w->row < w->height && w->width && edge < taps)
			taps = edge;
		run.n = taps * w->channels - w->channel;
	}
	run.n = run.n < k ? run.n : k;
	w->channel = 0;
	w->v += taps;
	w->col += taps * w->dilation_w;
	w->at += taps * w->tap;
	if (w->v == w->kernel_w) {
		w->v = 0;
		w->col -= w->kernel_w * w->dilation_w;
		w->row += w->dilation_h;
		w->at += w->tap_row;
	}
	return run;
}

/*
 * Brings k elements, of so many bytes, of rows rows of A, from (row, at) on, to
 * rows that are stride bytes apart, filled up with 0 to a multiple of bytes. What
 * lies outside the image is outside. Runs come in order: what is written after
 * one is overwritten by the next, and after the last there is room for a vector.
 */
ISK_INLINE void copy_patches(unsigned char *to, size_t stride, const struct patches *a, size_t row,
                             size_t rows, size_t at, size_t k, vi outside, const size_t bytes,
                             const size_t multiple)
{
	unsigned char nothing[4 * VL];
	struct pixel pixel;
	struct walk first;

	if (!rows || !k)
		return;
	pixel = pixel_from(a, row);
	first = walk_from(a, at);
	vi_store((int32_t *)(void *)nothing, outside);
	for (; rows; rows--, to += stride, next_pixel(a, &pixel)) {
		struct walk walk = walk_at(first, pixel);
		struct run run;

		for (size_t done = 0; done < k; done += run.n) {
			const unsigned char *x = nothing;
			size_t step = 0;

			run = walk_on(&walk, k - done);
			if (run.x != SIZE_MAX) {
				x = (const unsigned char *)a->x + run.x * bytes;
				step = 4 * VL;
			}
			for (size_t i = 0; i < run.n * bytes; i += 4 * VL, x += step)
				vi_store((int32_t *)(void *)(to + done * bytes + i), vi_load_bytes(x, run.n * bytes - i));
		}
		vi_store_bytes(to + k * bytes, vi_set1(0), -(k * bytes) & (multiple - 1));
	}
}

/* One output pixel after the other is one row of A after the other, without any copying. */
static inline int is_plain_matrix(const struct isk_conv *c)
{
	return c->kernel_h == 1 && c->kernel_w == 1 && c->stride_h == 1 && c->stride_w == 1 && c->groups == 1
	       && !c->pad_top && !c->pad_left && !c->pad_bottom && !c->pad_right;
}

/* What the product of a group is made of. */
struct group {
	struct patches a;
	size_t pixels; /* its rows */
	const unsigned char *panels;
	void *y;
	struct isk_post post;
};

static inline struct group group_of(const struct call *call, size_t g, const enum isk_type x_type,
                                    const enum isk_c y_type)
{
	const struct isk_conv *c = call->conv;
	const struct isk_conv_sizes *s = call->s;
	const size_t col = g * s->columns, x_bytes = x_type == ISK_F32 ? 4 : x_type == ISK_BF16 ? 2 : 1;
	struct group group = {
		.a = {(const unsigned char *)call->x + g * (c->channels / c->groups) * x_bytes, c, s},
		.pixels = c->images * s->out_height * s->out_width,
		.panels = call->packed + g * isk_packed_bytes(x_type, s->k, s->columns) + ISK_PACKED_LINE,
		.y = (unsigned char *)call->y + col * c_bytes(y_type),
		.post = *call->post,
	};

	if (group.post.scales > 1)
		group.post.scale += col;
	if (group.post.bias)
		group.post.bias += col;
	if (group.post.b_zeros > 1)
		group.post.b_zero += col;
	if (group.post.binary)
		group.post.other = (const unsigned char *)group.post.other + col * c_bytes(y_type);
	return group;
}

/* See check_post() for low and high. Fills in the sizes, which are those that call points to. */
ISK_INLINE int check_conv(const struct call *call, struct isk_conv_sizes *s, const size_t x_bytes,
                          const enum isk_type w_type, const enum isk_c y_type, const int32_t low,
                          const int32_t high)
{
	const struct isk_conv *conv = call->conv;
	const struct isk_post *post = call->post;
	const unsigned char *matrix = call->packed;
	int status = isk_conv_measure(conv, x_bytes, c_bytes(y_type), s);
	size_t pixels, space;

	if (status)
		return status;
	pixels = conv->images * s->out_height * s->out_width;
	space = isk_packed_bytes(w_type, s->k, s->columns);
	if (post->size != sizeof(*post) || post->first_column || post->group)
		return ISK_ERR_POST;
	if (!matrix || (!call->y && pixels && conv->out_channels)
	    || (!call->x && pixels && conv->out_channels && conv->height && conv->width && conv->channels))
		return ISK_ERR_NULL;
	if (!isk_conv_packed_bytes(w_type, s))
		return ISK_ERR_SIZE;
	for (size_t g = 0; g < s->matrices; g++, matrix += space) {
		status = isk_packed_check_header((const struct isk_packed *)(const void *)matrix, w_type);
		if (status)
			return status;
		if (((const struct isk_packed *)(const void *)matrix)->k != s->k
		    || ((const struct isk_packed *)(const void *)matrix)->n != s->columns)
			return ISK_ERR_SHAPE;
	}
	return check_post(post, pixels, conv->out_channels, y_type, low, high, 0);
}

#endif
