/* SPDX-License-Identifier: MIT */
/*
 * The transpose of a convolution. An output pixel, a pixel of the image of the convolution, gets the taps whose input pixel is
 * there: along each side those whose index has one remainder modulo stride / gcd(stride, dilation). So the output pixels at
 * distances of the stride make a phase, which is a convolution of stride 1 by these taps, the last one first. The taps of
 * each phase lie together in the packed weights.
 *
 * If windows neither overlap nor leave gaps along a row, kernel_w pixels of y have the same taps. With few channels,
 * they are columns of one product, because panels of 16 columns would be mostly empty for each alone.
 */
#ifndef ISK_TRANSPOSE_H
#define ISK_TRANSPOSE_H

#include "sizes.h"

struct isk_transpose {
	/*
	 * The sizes of the transpose: its x is the output of the convolution, its y the image. The pixels of y are the places
	 * of the axes, and strides are from one pixel of x to the next.
	 */
	struct isk_conv_sizes s;
	size_t joined; /* pixels of y that are columns of one product: kernel_w, or 1 */
};

/* The remainders that the indices of taps have, each of them the taps of a phase. */
static inline size_t isk_phases(const struct axis *x)
{
	size_t a = x->stride, b = x->dilation;

	while (b) {
		const size_t rest = a % b;

		a = b;
		b = rest;
	}
	return x->stride / a;
}

/* The number of taps with a remainder, and with all less ones. */
static inline size_t isk_phase_taps(const struct axis *x, size_t phases, size_t phase)
{
	return phase < x->taps ? (x->taps - 1 - phase) / phases + 1 : 0;
}

static inline size_t isk_taps_before(const struct axis *x, size_t phases, size_t phase)
{
	const size_t more = x->taps % phases;

	return phase * (x->taps / phases) + (phase < more ? phase : more);
}

/* The most channels of joined pixels. More fill panels well enough by themselves. */
#define ISK_JOINED_COLUMNS 256

static inline size_t isk_joined(const struct isk_conv *c, size_t out_width)
{
	const int beside = c->kernel_w == c->stride_w && c->dilation_w == 1 && !c->pad_left
	                   && c->width / c->kernel_w == out_width && c->width % c->kernel_w == 0;

	const int dense = c->groups == 1 && (!c->ldx || c->ldx == c->channels);
	const int few = c->channels % ISK_PACKED_PANEL && c->channels <= ISK_JOINED_COLUMNS / c->kernel_w;

	return beside && dense && few ? c->kernel_w : 1;
}

/* Checks the convolution as isk_conv_measure() does. One with a channel of x in each group is depthwise. */
static inline int isk_transpose_measure(const struct isk_conv *conv, size_t x_bytes, size_t y_bytes, struct isk_transpose *t)
{
	struct isk_conv_sizes c;
	const int status = isk_conv_measure(conv, y_bytes, x_bytes, &c);

	*t = (struct isk_transpose){.joined = 1};
	if (status)
		return status;
	t->joined = isk_joined(conv, c.along.places);
	t->s = (struct isk_conv_sizes){
		.down = {c.down.places, conv->pad_top, conv->kernel_h, conv->dilation_h, c.down.size, conv->stride_h},
		.along = {c.along.places, conv->pad_left, conv->kernel_w, conv->dilation_w, c.along.size, conv->stride_w},
		.images = c.images, .ldx = c.ldy, .ldy = c.ldx, .row_x = c.along.places, .image_x = c.image_y,
	};
	isk_conv_set_groups(&t->s, conv->out_channels, conv->channels, conv->groups);
	t->s.columns *= t->joined;
	if (t->joined > 1) {
		t->s.along = (struct axis){c.along.places, 0, 1, 1, c.along.places, 1};
		t->s.ldy *= t->joined;
	}
	t->s.line_y = t->s.along.places;
	t->s.image_y = t->s.down.places * t->s.line_y;
	if (__builtin_mul_overflow(t->s.down.taps * t->s.along.taps, t->s.in_group, &t->s.k))
		return ISK_ERR_SIZE;
	return ISK_OK;
}

#endif
