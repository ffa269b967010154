/* SPDX-License-Identifier: MIT */
/* The taps of a convolution along one side of an image, with numbers that a caller may choose as he likes. */
#ifndef ISK_TAPS_H
#define ISK_TAPS_H

#include "kernel.h"

/* `size` pixels of the image, `places` of the kernel, which has this number of taps. */
struct taps {
	size_t size, places, taps;
	unsigned stride, pad, dilation;
};

/* The pixel that a tap is on at a place. It is computed modulo 2^64, so that pixels before the image are >= size too. */
ISK_INLINE size_t pixel_of(const struct taps *t, size_t place, size_t tap)
{
	return place * t->stride + tap * t->dilation - t->pad;
}

#endif
