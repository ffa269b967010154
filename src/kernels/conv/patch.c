/* SPDX-License-Identifier: MIT */
/* Gathers rows of the matrix of patches from the image: see conv.h. */
#include "conv.h"

copy_fn ISK_FN(copy_patches);

/*
 * Elements are copied in runs: the elements of a tap, or of all taps of a row that are side by
 * side in the image and either all inside or all outside. A run may write beyond its end; the
 * next one overwrites that.
 */
void ISK_FN(copy_patches)(unsigned char *to, size_t stride, const struct product *p, size_t row, size_t rows,
                          size_t at, size_t k)
{
	const struct isk_conv_sizes s = *sizes_of(p);
	const size_t bytes = isk_element_bytes(p->a_type), channels = s.in_group;
	const unsigned char *const x = p->a;
	const int joined = s.along.dilation * s.ldx == channels;
	/* Without zero points, as those of floats, the padding is 0. */
	const vi padding = vi_set1_u8((uint8_t)p->a_zero) ^ vi_set1(p->flip);

	for (; rows && k; rows--, to += stride, row++) {
		const size_t line = row / s.along.places, image = line / s.down.places;
		const size_t row_place = line % s.down.places, col_place = row % s.along.places;
		const struct span inside = taps_inside(&s.along, col_place);
		const size_t tap = at / channels;
		size_t u = tap / s.along.taps, v = tap % s.along.taps, channel = at % channels;
		unsigned char *out = to;

		for (size_t left = k * bytes, n; left; left -= n, out += n, channel = 0) {
			const size_t r = pixel_of(&s.down, row_place, u), q = pixel_of(&s.along, col_place, v);
			const size_t from = (pixel_in_x(&s, image, r, q) * s.ldx + channel) * bytes;
			const int is_inside = r < s.down.size && q < s.along.size;
			size_t end = s.along.taps;

			if (is_inside)
				end = joined ? inside.end : v + 1;
			else if (r < s.down.size && v < inside.first)
				end = inside.first;
			n = ((end - v) * channels - channel) * bytes;
			n = n < left ? n : left;
			for (size_t i = 0; i < n; i += 4 * VL)
				vi_store((int32_t *)(void *)(out + i),
				         is_inside ? vi_load_bytes(x + from + i, n - i) : padding);
			v = end;
			if (v == s.along.taps) {
				v = 0;
				u++;
			}
		}
	}
}
