/* SPDX-License-Identifier: MIT */
/* Images with a border, pixel by pixel in the border and row by row within. */
#include "pad_kernels.h"
#include "runs.h"

enum mode { CONSTANT, REFLECT, EDGE };

/*
 * The pixel of an axis of n pixels, n > 0, that is seen at `at`, `before` pixels after its beginning; n if none is. A
 * reflection repeats after 2 (n - 1) pixels, and is the same on both sides of the first pixel.
 */
static __attribute__((noinline)) size_t pixel_at(size_t at, int64_t before, size_t n, enum mode mode)
{
	const size_t distance = before < 0 ? -(size_t)before : (size_t)before, period = 2 * (n - 1);
	const int is_early = before >= 0 && at < distance;
	const size_t place = is_early ? distance - at : before < 0 ? at + distance : at - distance;
	size_t turned;

	if (mode == CONSTANT || (!is_early && place < n))
		return is_early || place >= n ? n : place;
	if (mode == EDGE || n == 1)
		return is_early ? 0 : n - 1;
	turned = place % period;
	return turned < n ? turned : period - turned;
}

struct images {
	size_t count, out_height, out_width, height, width, bytes; /* bytes of a pixel */
	const char *value;
	int64_t top, left;
	enum mode mode;
};

static void pad_row(char *y, const char *x, const struct images *s)
{
	for (size_t j = 0, run; j < s->out_width; j += run) {
		const size_t at = pixel_at(j, s->left, s->width, s->mode);
		const size_t next = j + 1 < s->out_width ? pixel_at(j + 1, s->left, s->width, s->mode) : s->width;

		run = 1;
		if (at < s->width && next == at + 1) /* from here on, columns of x ascend to the last, or the row ends */
			run = s->width - at < s->out_width - j ? s->width - at : s->out_width - j;
		copy_bytes(y + j * s->bytes, at < s->width ? x + at * s->bytes : s->value, run * s->bytes);
	}
}

static void pad(char *y, const char *x, const struct images *s)
{
	const size_t row = s->out_width * s->bytes;

	for (size_t n = 0; n < s->count; n++, x += s->height * s->width * s->bytes)
		for (size_t i = 0; i < s->out_height; i++, y += row) {
			const size_t at = s->height && s->width ? pixel_at(i, s->top, s->height, s->mode) : s->height;

			if (at < s->height)
				pad_row(y, x + at * s->width * s->bytes, s);
			else
				for (size_t j = 0; j < s->out_width; j++)
					copy_bytes(y + j * s->bytes, s->value, s->bytes);
		}
}

#define PAD(kernel, T, ...)                                                    \
	int ISK_FN(kernel)(void *y, const void *x, const void *value, size_t images, size_t channels, size_t out_height, \
	                   size_t out_width, size_t height, size_t width, int64_t top, int64_t left, unsigned mode) \
	{                                                                          \
		if (mode > EDGE)                                                       \
			return ISK_ERR_SHAPE;                                              \
		if (channels && out_height && out_width)                               \
			pad(y, x, &(struct images){images, out_height, out_width, height, width, \
			                           channels * isk_element_bytes(ISK_ENUM_##T), value, top, left, (enum mode)mode}); \
		return ISK_OK;                                                         \
	}
ISK_EACH_pad(PAD, )
