/* SPDX-License-Identifier: MIT */
/* Which taps of a kernel lie inside an image, along one side of it. */
#ifndef ISK_AXIS_H
#define ISK_AXIS_H

#include "sizes.h"

/* From first to before end. */
struct span {
	size_t first, end;
};

/* One side of an image, and what moves along it; before: padding. */
struct axis {
	size_t size, before, taps, stride, dilation, places;
};

static inline struct axis axis_down(const struct isk_conv *c, const struct isk_conv_sizes *s)
{
	return (struct axis){c->height, c->pad_top, c->kernel_h, c->stride_h, c->dilation_h, s->out_height};
}

static inline struct axis axis_along(const struct isk_conv *c, const struct isk_conv_sizes *s)
{
	return (struct axis){c->width, c->pad_left, c->kernel_w, c->stride_w, c->dilation_w, s->out_width};
}

/* The taps that a kernel has in its first pixels. */
static inline size_t taps_within(const struct axis *x, size_t pixels)
{
	return pixels > (x->taps - 1) * x->dilation ? x->taps : pixels / x->dilation + (pixels % x->dilation != 0);
}

/* The taps inside where the kernel is at a place. */
static inline struct span taps_inside(const struct axis *x, size_t place)
{
	const size_t at = place * x->stride;

	return (struct span){taps_within(x, at < x->before ? x->before - at : 0),
	                     taps_within(x, at < x->before + x->size ? x->before + x->size - at : 0)};
}

/* The places where all taps are. */
static inline struct span places_inside(const struct axis *x)
{
	const size_t reach = (x->taps - 1) * x->dilation;
	struct span s = {x->before / x->stride + (x->before % x->stride != 0), 0};

	/* place * stride - before + reach < size */
	if (reach < x->size + x->before)
		s.end = (x->size + x->before - reach - 1) / x->stride + 1;
	s.end = s.end < x->places ? s.end : x->places;
	return s;
}

/* Places from this one on that have the same taps inside, s. */
static inline size_t same_taps(const struct axis *x, size_t place, struct span s)
{
	size_t n = 1;

	if (s.first == 0 && s.end == x->taps)
		return places_inside(x).end - place;
	for (; place + n < x->places; n++) {
		const struct span next = taps_inside(x, place + n);

		if (next.first != s.first || next.end != s.end)
			break;
	}
	return n;
}

#endif
