/* SPDX-License-Identifier: MIT */
/* Rows of the matrix of patches, gathered from the image: see conv.h. */
#include "conv.h"

copy_fn ISK_FN(copy_patches);

/* Where the first tap of a pixel of y is: its row and column, and the element of x. All modulo 2^64, so that
 * what lies before the image is, like what lies after it, not below its size. */
struct place {
	size_t row, col, at;
};

static struct place place_of(const struct isk_conv *c, const struct isk_conv_sizes *s, size_t pixel)
{
	const size_t line = pixel / s->out_width, image = line / s->out_height;
	const size_t row = line % s->out_height * c->stride_h - c->pad_top;
	const size_t col = pixel % s->out_width * c->stride_w - c->pad_left;

	return (struct place){row, col, ((image * c->height + row) * c->width + col) * s->ldx};
}

/*
 * Elements come in runs: those of a tap, or of all taps of a row that are side by
 * side in the image and inside it, or outside. What is written after a run is
 * overwritten by the next.
 */
void ISK_FN(copy_patches)(unsigned char *to, size_t stride, const struct product *p, size_t row, size_t rows,
                          size_t at, size_t k)
{
	const struct call *call = p->image;
	const struct isk_conv c = *call->conv;
	const struct isk_conv_sizes s = *call->s;
	const size_t bytes = isk_element_bytes(p->a_type), channels = s.in_group, tap = c.dilation_w * s.ldx;
	const unsigned char *const x = p->a;
	const int joined = tap == channels;
	const vi outside = p->a_type == ISK_U8 ? vi_set1_u8((uint8_t)p->a_zero) : vi_set1(0);

	for (; rows && k; rows--, to += stride, row++) {
		const struct place pixel = place_of(&c, &s, row);
		const size_t first = at / channels;
		size_t u = first / c.kernel_w, v = first % c.kernel_w, channel = at % channels, taps;
		unsigned char *out = to;

		for (size_t left = k * bytes, n; left; left -= n, out += n, v += taps, channel = 0) {
			size_t r, q, from;
			int inside;

			if (v == c.kernel_w) {
				v = 0;
				u++;
			}
			r = pixel.row + u * c.dilation_h;
			q = pixel.col + v * c.dilation_w;
			inside = r < c.height && q < c.width;
			taps = 1;
			if (joined) {
				/* Up to where the row of the image ends, or begins; it does neither where it is empty. */
				const size_t edge = inside ? c.width - q : 0 - q;

				taps = c.kernel_w - v;
				taps = r < c.height && c.width && edge < taps ? edge : taps;
			}
			n = (taps * channels - channel) * bytes;
			n = n < left ? n : left;
			from = pixel.at + u * c.dilation_h * c.width * s.ldx + v * tap + channel;
			for (size_t i = 0; i < n; i += 4 * VL)
				vi_store((int32_t *)(void *)(out + i), inside ? vi_load_bytes(x + from * bytes + i, n - i) : outside);
		}
	}
}
