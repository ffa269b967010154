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

/* A place in the patch of an output pixel. */
struct walk {
	size_t image, row, col; /* of the pixel */
	size_t u, v, channel;
	size_t joined; /* taps of a row that lie side by side: all, or one */
};

/* Element at of the patch of this pixel. */
ISK_INLINE struct walk walk_from(const struct patches *a, size_t pixel, size_t at)
{
	const struct isk_conv *c = a->conv;
	const size_t channels = c->channels / c->groups, line = pixel / a->s->out_width, tap = at / channels;

	return (struct walk){
		.image = line / a->s->out_height,
		.row = line % a->s->out_height,
		.col = pixel % a->s->out_width,
		.u = tap / c->kernel_w,
		.v = tap % c->kernel_w,
		.channel = at % channels,
		.joined = c->dilation_w == 1 && a->s->ldx == channels ? c->kernel_w : 1,
	};
}

/* The same element of the next pixel. */
ISK_INLINE void next_pixel(const struct patches *a, struct walk *w)
{
	if (++w->col < a->s->out_width)
		return;
	w->col = 0;
	if (++w->row < a->s->out_height)
		return;
	w->row = 0;
	w->image++;
}

/*
 * The next run of at most k elements, which are not none. Row and column are
 * counted modulo 2^64: those before the image are not below its size either.
 */
ISK_INLINE struct run walk_on(const struct patches *a, struct walk *w, size_t k)
{
	const struct isk_conv *c = a->conv;
	const size_t row = w->row * c->stride_h + w->u * c->dilation_h - c->pad_top;
	const size_t col = w->col * c->stride_w + w->v * c->dilation_w - c->pad_left;
	const int there = row < c->height && col < c->width;
	size_t taps = w->joined < c->kernel_w - w->v ? w->joined : c->kernel_w - w->v, edge, n;
	struct run run = {.x = SIZE_MAX};

	/* Up to where the row of the image ends, or begins; it does neither where it is empty. */
	edge = there ? c->width - col : 0 - col;
	if (row < c->height && c->width && edge < taps)
		taps = edge;
	if (there)
		run.x = ((w->image * c->height + row) * c->width + col) * a->s->ldx + w->channel;
	n = taps * (c->channels / c->groups) - w->channel;
	run.n = n < k ? n : k;
	w->channel = 0;
	w->v += taps;
	if (w->v == c->kernel_w) {
		w->v = 0;
		w->u++;
	}
	return run;
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
