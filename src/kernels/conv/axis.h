/* SPDX-License-Identifier: MIT */
/*
 * A kernel that moves along one side of an image. At place p its tap t is on pixel
 * p * stride + t * dilation - before, modulo 2^64: what lies before the image is, like
 * what lies after it, not below its size. Taps and places may change their parts.
 */
#ifndef ISK_AXIS_H
#define ISK_AXIS_H

#include <stddef.h>

struct axis {
	size_t size, before;   /* pixels, and those of padding before them */
	size_t taps, dilation; /* pixels from one to the next */
	size_t places, stride;
};

/* From first to before end. */
struct span {
	size_t first, end;
};

/* The pixel that a tap is on at a place. */
static inline size_t pixel_of(const struct axis *x, size_t place, size_t tap)
{
	return place * x->stride + tap * x->dilation - x->before;
}

/* Whether all taps are inside there. */
static inline int all_inside(const struct axis *x, size_t place)
{
	return pixel_of(x, place, 0) < x->size && pixel_of(x, place, x->taps - 1) < x->size;
}

static inline int places_are_pixels(const struct axis *x)
{
	return x->taps == 1 && x->stride == 1 && x->places == x->size;
}

/* The taps that a kernel has in its first pixels. */
static inline size_t taps_within(const struct axis *x, size_t pixels)
{
	return pixels > (x->taps - 1) * x->dilation ? x->taps
	                                            : pixels / x->dilation + (pixels % x->dilation != 0);
}

/* The taps inside where the kernel is at a place. */
static inline struct span taps_inside(const struct axis *x, size_t place)
{
	const size_t at = place * x->stride, end = x->before + x->size;

	return (struct span){taps_within(x, at < x->before ? x->before - at : 0),
	                     taps_within(x, at < end ? end - at : 0)};
}

/* The same side where what was a tap is a place: its taps inside are the places where that one is. */
static inline struct axis exchanged(const struct axis *x)
{
	return (struct axis){x->size, x->before, x->places, x->stride, x->taps, x->dilation};
}

/* Places from this one on with the same taps inside: until the last of them leaves or one more enters. */
static inline size_t same_taps(const struct axis *x, size_t place, struct span inside)
{
	const struct axis taps = exchanged(x);
	const size_t leaves = inside.end ? taps_inside(&taps, inside.end - 1).end : x->places;
	const size_t enters = inside.first ? taps_inside(&taps, inside.first - 1).first : x->places;

	return (leaves < enters ? leaves : enters) - place;
}

#endif
