/* SPDX-License-Identifier: MIT */
/* Rows of the matrix of patches, gathered from the image: see conv.h. */
#include "conv.h"

copy_fn ISK_FN(copy_patches);

/* A pixel of y: where it is, and where its first tap is in the image. All modulo 2^64, so that what lies
 * before the image is, like what lies after it, not below its size. */
struct pixel {
	size_t line, place;
	size_t row, col, at; /* at: the element of x */
};

static struct pixel pixel_from(const struct isk_conv *c, const struct isk_conv_sizes *s, size_t n)
{
	const size_t lines = n / s->out_width, image = lines / s->out_height;
	struct pixel p = {.line = lines % s->out_height, .place = n % s->out_width};

	p.row = p.line * c->stride_h - c->pad_top;
	p.col = p.place * c->stride_w - c->pad_left;
	p.at = ((image * c->height + p.row) * c->width + p.col) * s->ldx;
	return p;
}

static void next_pixel(const struct isk_conv *c, const struct isk_conv_sizes *s, struct pixel *p)
{
	const size_t width = s->out_width * c->stride_w, height = s->out_height * c->stride_h;

	p->col += c->stride_w;
	p->at += c->stride_w * s->ldx;
	if (++p->place < s->out_width)
		return;
	p->place = 0;
	p->col -= width;
	p->row += c->stride_h;
	p->at += (c->stride_h * c->width - width) * s->ldx;
	if (++p->line < s->out_height)
		return;
	p->line = 0;
	p->row -= height;
	p->at += (c->height - height) * c->width * s->ldx;
}

/*
 * Elements come in runs: those of a tap, or of all taps of a row that are side by
 * side in the image and inside it, or outside. What is written after a run is
 * overwritten by the next.
 */
void ISK_FN(copy_patches)(unsigned char *to, size_t stride, const struct product *p, size_t row, size_t rows,
                          size_t at, size_t k)
{
	const struct group *group = p->image;
	const struct isk_conv c = *group->call->conv;
	const struct isk_conv_sizes s = *group->call->s;
	const size_t bytes = isk_element_bytes(p->a_type), channels = c.channels / c.groups, tap = c.dilation_w * s.ldx;
	const int joined = tap == channels;
	const vi outside = p->a_type == ISK_U8 ? vi_set1_u8((uint8_t)p->a_zero) : vi_set1(0);
	struct pixel pixel;

	if (!k)
		return;
	pixel = pixel_from(&c, &s, row);
	for (; rows; rows--, to += stride, next_pixel(&c, &s, &pixel)) {
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
				vi_store((int32_t *)(void *)(out + i),
				         inside ? vi_load_bytes((const unsigned char *)group->x + from * bytes + i, n - i) : outside);
		}
	}
}
