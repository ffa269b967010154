/* SPDX-License-Identifier: MIT */
/*
 * The sizes of a convolution, computed and checked in one place for the API, the
 * packing and the kernels. No position overflows where isk_conv_measure() gives
 * ISK_OK: neither a pixel of the padded image nor an element of x or y.
 */
#ifndef ISK_SIZES_H
#define ISK_SIZES_H

#include "isakern/conv_types.h"
#include "packed.h"

struct isk_conv_sizes {
	size_t out_height, out_width;
	size_t ldx, ldy;
	size_t in_group;   /* channels */
	size_t matrices;   /* packed one after the other */
	size_t k, columns; /* of each; the order of k is tap row, tap column, channel */
	size_t multiplier; /* of a depthwise convolution, out_channels / channels; 0 for others */
};

/* Places of a kernel of so many taps, along one axis; 0 for none. SIZE_MAX: overflow. */
static inline size_t isk_conv_places(size_t size, size_t before, size_t after, size_t taps, size_t stride,
                                     size_t dilation)
{
	size_t extent, reach;

	if (__builtin_add_overflow(size, before, &extent) || __builtin_add_overflow(extent, after, &extent)
	    || extent > SIZE_MAX / 2 || __builtin_mul_overflow(taps - 1, dilation, &reach))
		return SIZE_MAX;
	return reach < extent ? (extent - reach - 1) / stride + 1 : 0;
}

/* Whether so many pixels, ld elements apart, cannot be counted in bytes. */
static inline int isk_conv_overflows(size_t images, size_t height, size_t width, size_t ld, size_t bytes)
{
	size_t n;

	return __builtin_mul_overflow(images, height, &n) || __builtin_mul_overflow(n, width, &n)
	       || __builtin_mul_overflow(n, ld, &n) || __builtin_mul_overflow(n, bytes, &n);
}

static inline int isk_conv_measure(const struct isk_conv *conv, size_t x_bytes, size_t y_bytes,
                                   struct isk_conv_sizes *s)
{
	size_t taps;
	int depthwise;

	*s = (struct isk_conv_sizes){0};
	if (!conv)
		return ISK_ERR_NULL;
	if (conv->size != sizeof(*conv) || !conv->kernel_h || !conv->kernel_w || !conv->stride_h
	    || !conv->stride_w || !conv->dilation_h || !conv->dilation_w || !conv->groups
	    || conv->channels % conv->groups || conv->out_channels % conv->groups)
		return ISK_ERR_CONV;
	s->ldx = conv->ldx ? conv->ldx : conv->channels;
	s->ldy = conv->ldy ? conv->ldy : conv->out_channels;
	if (s->ldx < conv->channels || s->ldy < conv->out_channels)
		return ISK_ERR_STRIDE;
	s->out_height = isk_conv_places(conv->height, conv->pad_top, conv->pad_bottom, conv->kernel_h,
	                                conv->stride_h, conv->dilation_h);
	s->out_width = isk_conv_places(conv->width, conv->pad_left, conv->pad_right, conv->kernel_w,
	                               conv->stride_w, conv->dilation_w);
	s->in_group = conv->channels / conv->groups;
	depthwise = s->in_group == 1 && conv->groups > 1;
	s->multiplier = depthwise ? conv->out_channels / conv->groups : 0;
	s->matrices = depthwise ? 1 : conv->groups;
	s->columns = conv->out_channels / s->matrices;
	if (s->out_height == SIZE_MAX || s->out_width == SIZE_MAX
	    || __builtin_mul_overflow(conv->kernel_h, conv->kernel_w, &taps)
	    || __builtin_mul_overflow(taps, s->in_group, &s->k)
	    || isk_conv_overflows(conv->images, conv->height, conv->width, s->ldx, x_bytes)
	    || isk_conv_overflows(conv->images, s->out_height, s->out_width, s->ldy, y_bytes))
		return ISK_ERR_SIZE;
	return ISK_OK;
}

/* Bytes of all matrices; 0 for an unknown type or an overflow. */
static inline size_t isk_conv_packed_bytes(unsigned type, const struct isk_conv_sizes *s)
{
	size_t bytes;

	return __builtin_mul_overflow(isk_packed_bytes(type, s->k, s->columns, 0), s->matrices, &bytes) ? 0 : bytes;
}

#endif
