/* SPDX-License-Identifier: MIT */
/* Which taps of a kernel lie inside an image, along one side of it. */
#ifndef ISK_AXIS_H
#define ISK_AXIS_H

#include "sizes.h"

/* One side of an image, and what moves along it; before: padding. */
struct axis {
	size_t size, before, taps, stride, dilation, places;
};

/* From first to before end. */
struct span {
	size_t first, end;
};

static inline struct axis axis_down(const struct isk_conv *c, const struct isk_conv_sizes *s)
{
	return (struct axis){c->height, c->pad_top, c->kernel_h, c->stride_h, c->dilation_h, s->out_height};
}

static inline struct axis axis_along(const struct isk_conv *c, const struct isk_conv_sizes *s)
{
	return (struct axis){c->width, c->pad_left, c->kernel_w, c->stride_w, c->dilation_w, s->out_width};
}

/* The taps inside where the kernel is at a place. */
static inline struct span taps_inside(const struct axis *x, size_t place)
{
	const size_t at = place * x->stride, before = at < x->before ? x->before - at : 0;
	const size_t end = at < x->before + x->size ? x->before + x->size - at : 0;
	struct span s = {before / x->dilation + (before % x->dilation != 0), end / x->dilation + (end % x->dilation != 0)};

	s.first = s.first < x->taps ? s.first : x->taps;
	s.end = s.end < x->taps ? s.end : x->taps;
	return s;
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

/* Places from this one on that have the same taps inside. */
static inline size_t same_taps(const struct axis *x, size_t place)
{
	const struct span s = taps_inside(x, place), all = places_inside(x);
	size_t n = 1;

	if (place >= all.first && place < all.end)
		return all.end - place;
	for (; place + n < x->places; n++) {
		const struct span next = taps_inside(x, place + n);

		if (next.first != s.first || next.end != s.end)
			break;
	}
	return n;
}

#endif
