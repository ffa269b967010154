/* SPDX-License-Identifier: MIT */
/*
 * The sizes of a convolution, computed and checked in one place for the API, the
 * packing and the kernels. If isk_conv_measure() gives ISK_OK, no position overflows,
 * neither of a pixel of the padded image nor of an element of x or y.
 */
#ifndef ISK_SIZES_H
#define ISK_SIZES_H

#include "axis.h"
#include "isakern/conv_types.h"
#include "packed.h"

struct isk_conv_sizes {
	struct axis down, along;
	size_t images, ldx, ldy;
	size_t in_group;   /* channels of x in a group */
	size_t matrices;   /* number of matrices of weights, packed one after the other */
	size_t k, columns; /* size of each matrix; the order of k is tap row, tap column, channel */
	size_t multiplier; /* out_channels / channels of a depthwise convolution; 0 for others */
	size_t image_x, row_x;           /* pixels of x from one image, and one row, to the next */
	size_t image_y, line_y, place_y; /* pixels of y from one image, line of places, and place to the next */
};

/* The index of a pixel of x, counted through all images. */
static inline size_t pixel_in_x(const struct isk_conv_sizes *s, size_t image, size_t row, size_t col)
{
	return image * s->image_x + row * s->row_x + col;
}

/* Sets the number of places of an axis with `after` pixels of padding after it. Returns whether a size overflows. */
static inline int isk_axis_overflows(struct axis *x, size_t after)
{
	size_t extent, reach;

	if (__builtin_add_overflow(x->size, x->before, &extent) || __builtin_add_overflow(extent, after, &extent)
	    || extent > SIZE_MAX / 2 || __builtin_mul_overflow(x->taps - 1, x->dilation, &reach))
		return 1;
	x->places = reach < extent ? (extent - reach - 1) / x->stride + 1 : 0;
	return 0;
}

/* Whether the bytes of these pixels, ld elements apart, overflow size_t. */
static inline int isk_conv_overflows(size_t images, size_t height, size_t width, size_t ld, size_t bytes)
{
	size_t n;

	return __builtin_mul_overflow(images, height, &n) || __builtin_mul_overflow(n, width, &n)
	       || __builtin_mul_overflow(n, ld, &n) || __builtin_mul_overflow(n, bytes, &n);
}

/* Sets what follows from the groups of a convolution, or of a transpose, from x of `in` channels to y of `out`. */
static inline void isk_conv_set_groups(struct isk_conv_sizes *s, size_t in, size_t out, size_t groups)
{
	const int is_depthwise = groups > 1 && in == groups;

	s->in_group = in / groups;
	s->matrices = is_depthwise ? 1 : groups;
	s->columns = out / s->matrices;
	s->multiplier = is_depthwise ? out / groups : 0;
}

static inline int isk_conv_measure(const struct isk_conv *conv, size_t x_bytes, size_t y_bytes,
                                   struct isk_conv_sizes *s)
{
	size_t taps;

	*s = (struct isk_conv_sizes){0};
	if (!conv)
		return ISK_ERR_NULL;
	if (conv->size != sizeof(*conv) || !conv->kernel_h || !conv->kernel_w || !conv->stride_h
	    || !conv->stride_w || !conv->dilation_h || !conv->dilation_w || !conv->groups
	    || conv->channels % conv->groups || conv->out_channels % conv->groups)
		return ISK_ERR_CONV;
	s->down = (struct axis){conv->height, conv->pad_top, conv->kernel_h, conv->dilation_h, 0, conv->stride_h};
	s->along = (struct axis){conv->width, conv->pad_left, conv->kernel_w, conv->dilation_w, 0, conv->stride_w};
	s->images = conv->images;
	s->ldx = conv->ldx ? conv->ldx : conv->channels;
	s->ldy = conv->ldy ? conv->ldy : conv->out_channels;
	if (s->ldx < conv->channels || s->ldy < conv->out_channels)
		return ISK_ERR_STRIDE;
	isk_conv_set_groups(s, conv->channels, conv->out_channels, conv->groups);
	if (isk_axis_overflows(&s->down, conv->pad_bottom) || isk_axis_overflows(&s->along, conv->pad_right)
	    || __builtin_mul_overflow(conv->kernel_h, conv->kernel_w, &taps)
	    || __builtin_mul_overflow(taps, s->in_group, &s->k)
	    || isk_conv_overflows(s->images, s->down.size, s->along.size, s->ldx, x_bytes)
	    || isk_conv_overflows(s->images, s->down.places, s->along.places, s->ldy, y_bytes))
		return ISK_ERR_SIZE;
	s->row_x = s->along.size;
	s->image_x = s->down.size * s->row_x;
	s->place_y = 1;
	s->line_y = s->along.places;
	s->image_y = s->down.places * s->line_y;
	return ISK_OK;
}

/* The bytes of all packed matrices; 0 for an unknown type or an overflow. */
static inline size_t isk_conv_packed_bytes(unsigned type, const struct isk_conv_sizes *s)
{
	size_t bytes;

	return __builtin_mul_overflow(isk_packed_bytes(type, s->k, s->columns, 0), s->matrices, &bytes) ? 0 : bytes;
}

#endif
