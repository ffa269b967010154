/* SPDX-License-Identifier: MIT */
/*
 * Images from the sums of patches. The rows of an image are computed one after another: each is cleared, then the
 * taps are added row by row and, within a row, from left to right. So a pixel's terms are added in the order of the taps, and
 * a row of y stays in the first-level cache.
 */
#include "fold_kernels.h"
#include "of_type.h"
#include "taps.h"

static void add_pixel(elem *y, const elem *x, size_t channels)
{
	for (size_t c = 0; c < channels; c += COUNT)
		store(y, c, load(y, c, channels - c) + load(x, c, channels - c), channels - c);
}

/* Adds the taps of one row of the kernel at all places of a row; x is the first one's. `patch` elements of x are a patch. */
static void add_taps(elem *y, const elem *x, const struct taps *along, size_t channels, size_t patch)
{
	for (size_t v = 0; v < along->taps; v++)
		for (size_t j = 0; j < along->places; j++) {
			const size_t at = pixel_of(along, j, v);

			if (at < along->size)
				add_pixel(y + at * channels, x + j * patch + v * channels, channels);
		}
}

static void fold_row(elem *y, const elem *x, size_t row, const struct taps *down, const struct taps *along, size_t channels)
{
	const size_t line = along->taps * channels, patch = down->taps * line;

	for (size_t c = 0; c < along->size * channels; c += COUNT)
		store(y, c, splat(0), along->size * channels - c);
	for (size_t u = 0; u < down->taps; u++)
		for (size_t i = 0; i < down->places; i++)
			if (pixel_of(down, i, u) == row)
				add_taps(y, x + i * along->places * patch + u * line, along, channels, patch);
}

void KERNEL(fold)(elem *y, const elem *x, size_t images, size_t channels, size_t out_height, size_t out_width,
                  size_t height, size_t width, size_t kernel_h, size_t kernel_w, unsigned stride_h, unsigned stride_w,
                  unsigned pad_h, unsigned pad_w, unsigned dilation_h, unsigned dilation_w)
{
	const struct taps down = {height, out_height, kernel_h, stride_h, pad_h, dilation_h};
	const struct taps along = {width, out_width, kernel_w, stride_w, pad_w, dilation_w};

	if (!channels || !width)
		return;
	for (size_t n = 0; n < images; n++)
		for (size_t r = 0; r < height; r++)
			fold_row(y + (n * height + r) * width * channels,
			         x + n * out_height * out_width * kernel_h * kernel_w * channels, r, &down, &along, channels);
}
