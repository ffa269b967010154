/* SPDX-License-Identifier: MIT */
/* Patches of images: for each output pixel the pixels that the taps of a convolution see, in the order of its k. */
#include "unfold_kernels.h"
#include "runs.h"
#include "taps.h"

/* Writes the taps of one row of the kernel; row is NULL if they are all outside the image. */
static void unfold_row(char *y, const char *row, const struct taps *along, size_t place, size_t bytes)
{
	for (size_t v = 0; v < along->taps; v++, y += bytes) {
		const size_t at = pixel_of(along, place, v);

		copy_bytes(y, row && at < along->size ? row + at * bytes : NULL, bytes);
	}
}

static void unfold(char *y, const char *x, size_t images, size_t bytes, const struct taps *down, const struct taps *along)
{
	for (; images; images--, x += down->size * along->size * bytes)
		for (size_t i = 0; i < down->places; i++)
			for (size_t j = 0; j < along->places; j++)
				for (size_t u = 0; u < down->taps; u++, y += along->taps * bytes) {
					const size_t at = pixel_of(down, i, u);

					unfold_row(y, at < down->size ? x + at * along->size * bytes : NULL, along, j, bytes);
				}
}

#define UNFOLD(kernel, T, ...)                                                 \
	void ISK_FN(kernel)(void *y, const void *x, size_t images, size_t channels, size_t out_height, size_t out_width, \
	                    size_t height, size_t width, size_t kernel_h, size_t kernel_w, unsigned stride_h, \
	                    unsigned stride_w, unsigned pad_h, unsigned pad_w, unsigned dilation_h, unsigned dilation_w) \
	{                                                                          \
		const struct taps down = {height, out_height, kernel_h, stride_h, pad_h, dilation_h}; \
		const struct taps along = {width, out_width, kernel_w, stride_w, pad_w, dilation_w}; \
                                                                               \
		if (channels && out_height && out_width && kernel_h && kernel_w)       \
			unfold(y, x, images, channels * isk_element_bytes(ISK_ENUM_##T), &down, &along); \
	}
ISK_EACH_unfold(UNFOLD, )
