/* SPDX-License-Identifier: MIT */
/*
 * A kernel that moves along one side of an image. At place p, its tap t is on pixel
 * p * stride + t * dilation - before, modulo 2^64, so that pixels before the image and
 * after it are both >= size. Taps and places are symmetric: exchanged() swaps them.
 */
#ifndef ISK_AXIS_H
#define ISK_AXIS_H

#include <stddef.h>

struct axis {
	size_t size, before;   /* pixels of the image, and of the padding before it */
	size_t taps, dilation; /* number of taps, pixels from one tap to the next */
	size_t places, stride; /* number of places, pixels from one place to the next */
};

/* The range first <= i < end. */
struct span {
	size_t first, end;
};

/* The pixel that a tap is on at a place. */
static inline size_t pixel_of(const struct axis *x, size_t place, size_t tap)
{
	return place * x->stride + tap * x->dilation - x->before;
}

/* Whether all taps are inside the image at a place. */
static inline int all_inside(const struct axis *x, size_t place)
{
	return pixel_of(x, place, 0) < x->size && pixel_of(x, place, x->taps - 1) < x->size;
}

static inline int places_are_pixels(const struct axis *x)
{
	return x->taps == 1 && x->stride == 1 && x->places == x->size;
}

/* The number of taps that lie in the first `pixels` pixels of the kernel's extent. */
static inline size_t taps_within(const struct axis *x, size_t pixels)
{
	return pixels > (x->taps - 1) * x->dilation ? x->taps
	                                            : pixels / x->dilation + (pixels % x->dilation != 0);
}

/* The taps that are inside the image at a place. */
static inline struct span taps_inside(const struct axis *x, size_t place)
{
	const size_t at = place * x->stride, end = x->before + x->size;

	return (struct span){taps_within(x, at < x->before ? x->before - at : 0),
	                     taps_within(x, at < end ? end - at : 0)};
}

/* The same side with taps and places swapped: taps_inside() of it gives the places at which a tap is inside. */
static inline struct axis exchanged(const struct axis *x)
{
	return (struct axis){x->size, x->before, x->places, x->stride, x->taps, x->dilation};
}

/* The number of places from this one on that have the same taps inside: until the last one leaves or another enters. */
static inline size_t same_taps(const struct axis *x, size_t place, struct span inside)
{
	const struct axis taps = exchanged(x);
	const size_t leaves = inside.end ? taps_inside(&taps, inside.end - 1).end : x->places;
	const size_t enters = inside.first ? taps_inside(&taps, inside.first - 1).first : x->places;

	return (leaves < enters ? leaves : enters) - place;
}

#endif
