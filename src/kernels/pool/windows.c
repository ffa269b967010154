/* SPDX-License-Identifier: MIT */
/*
 * Pools of images: each output pixel is the average or maximum of a window. If channels are
 * innermost (NHWC), they are the lanes, and the pixels of a window are added in order. In
 * NCHW, the columns of the windows of an output row are summed first, with columns as lanes.
 * Then these sums of VL planes are transposed, so that planes are the lanes, and the columns
 * of each window are added in ascending order. Worst error found: 0.486 eps * (terms + 2) *
 * mean |terms|.
 */
#include <string.h>
#include "windows_kernels.h"
#include "loops.h"
#include "transpose_tile.h"
#include "windows.h"

ISK_INLINE vf one_more(vf s, vf x, const int maximum)
{
	return maximum ? vf_sel(vf_isnan(x), x, vf_max(x, s)) : s + x;
}

ISK_INLINE vf none(const int maximum)
{
	return vf_set1(maximum ? -__builtin_inff() : 0.0f);
}

/* A window of an image in NHWC. */
struct window {
	size_t rows, columns; /* its pixels in the image */
	size_t row;           /* elements from one row of the image to the next */
	float terms;          /* number of terms of its average */
	float inverse;        /* 1 / terms if that is exact, because a product then has the bits of the quotient; else 0 */
};

ISK_INLINE struct window window_at(const struct pooling *p, struct span h, struct span w, const int maximum)
{
	const float n = maximum ? 1 : terms(p, h, w);
	uint32_t bits;

	memcpy(&bits, &n, sizeof(bits));
	return (struct window){h.end - h.first, w.end - w.first, p->w.in * p->channels, n, bits << 9 ? 0 : 1 / n};
}

#define BESIDE 4

/*
 * Some channels of one output pixel, `beside` vectors of n channels each. The first one is element `at` of y, and `from` of x
 * in the first pixel of the window.
 */
ISK_INLINE void channels(void *y, size_t at, const void *x, size_t from, size_t channel_count, const struct window *o,
                         const size_t beside, size_t n, const int maximum, const enum isk_type type)
{
	vf s[BESIDE];

#pragma GCC unroll 4
	for (size_t v = 0; v < beside; v++)
		s[v] = none(maximum);
	for (size_t i = 0; i < o->rows; i++, from += o->row)
		for (size_t j = 0; j < o->columns; j++)
#pragma GCC unroll 4
			for (size_t v = 0; v < beside; v++)
				s[v] = one_more(s[v], vf_load_as(x, from + j * channel_count + v * VL, n, type), maximum);
#pragma GCC unroll 4
	for (size_t v = 0; v < beside; v++) {
		if (!maximum)
			s[v] = o->inverse != 0 ? s[v] * o->inverse : s[v] / o->terms;
		vf_store_as(y, at + v * VL, s[v], n, type);
	}
}

/*
 * Output pixels whose windows are `step` elements of x apart and alike. The last vector of a pixel reaches back over
 * channels that are done, unless there is no other.
 */
ISK_INLINE void pixels(void *y, size_t at, const void *x, size_t from, size_t count, size_t step, size_t channel_count,
                       const struct window *o, const int maximum, const enum isk_type type)
{
	for (; count; count--, at += channel_count, from += step) {
		size_t c = 0;

		for (; channel_count - c >= BESIDE * VL; c += BESIDE * VL)
			channels(y, at + c, x, from + c, channel_count, o, BESIDE, VL, maximum, type);
		if (channel_count - c >= 2 * VL) {
			channels(y, at + c, x, from + c, channel_count, o, 2, VL, maximum, type);
			c += 2 * VL;
		}
		for (; channel_count >= VL && c < channel_count; c += VL) {
			c = channel_count - c < VL ? channel_count - VL : c;
			channels(y, at + c, x, from + c, channel_count, o, 1, VL, maximum, type);
		}
		if (channel_count < VL)
			channels(y, at, x, from, channel_count, o, 1, channel_count, maximum, type);
	}
}

ISK_INLINE void pool_nhwc(void *y, const void *x, const struct pooling *p, const int maximum, const enum isk_type type)
{
	const size_t channel_count = p->channels, step = p->w.stride * channel_count;
	size_t at = 0;

	if (!channel_count || !p->h.out || !p->w.out)
		return;
	for (size_t n = 0; n < p->images; n++) {
		struct place down = {0, 0};

		for (size_t i = 0; i < p->h.out; i++) {
			const struct span h = span_at(&p->h, &down);
			struct place across = {0, 0};

			for (size_t j = 0, alike; j < p->w.out; j += alike, at += alike * channel_count) {
				const struct span w = span_at(&p->w, &across);
				const struct window o = window_at(p, h, w, maximum);
				const size_t from = ((n * p->h.in + h.first) * p->w.in + w.first) * channel_count;

				alike = alike_from(&p->w, w, p->w.out - j, &across);
				pixels(y, at, x, from, alike, step, channel_count, &o, maximum, type);
			}
		}
	}
}

/* Transposes VL rows of VL elements; rows of x are `apart` bytes apart. */
ISK_INLINE void turn(float *y, const float *x, size_t apart)
{
	vi squares[LANES][SQUARE_MOST];

	squares_read(squares, x, apart, VL, sizeof(vi), 4);
	squares_write(y, sizeof(vi), squares, VL, VL, 4);
}

/* COLUMNS: the number of columns that are summed at a time. ABREAST: the number of their vectors that are summed at once. */
#define COLUMNS 128
#define ABREAST 4

/*
 * The sums over the rows of a window, of `vectors` vectors of columns from element `at` on. n elements may be read; if
 * `enough`, they suffice for whole vectors.
 */
ISK_INLINE void column_sums(float *sums, const void *x, size_t at, size_t n, size_t width, struct span h,
                            const size_t vectors, const int enough, const int maximum, const enum isk_type type)
{
	vf s[ABREAST];

	for (size_t v = 0; v < vectors; v++)
		s[v] = none(maximum);
	for (size_t i = h.first; i < h.end; i++)
#pragma GCC unroll 4
		for (size_t v = 0; v < vectors; v++) {
			const size_t from = i * width + v * VL;

			s[v] = one_more(s[v], vf_load_as(x, at + from, enough ? VL : n > from ? n - from : 0, type), maximum);
		}
	for (size_t v = 0; v < vectors; v++)
		vf_store(sums + v * VL, s[v]);
}

/* Up to VL planes that are computed together. */
struct planes {
	size_t first, count;
	size_t elements; /* number of elements of x */
	size_t cells;    /* number of output pixels of each plane that are done */
	float sums[VL][COLUMNS + VL], turned[COLUMNS + VL][VL], out[VL][VL];
};

/*
 * Sums the columns from first to before end of all planes into `sums`, from column `at` on. Rows are read in whole vectors
 * unless x ends there, so that some sums after `end` are of other elements and are not used.
 */
ISK_INLINE void columns(struct planes *all, size_t at, const void *x, const struct pooling *p, struct span h, size_t first,
                        size_t end, const int maximum, const enum isk_type type)
{
	const size_t plane = p->h.in * p->w.in, last = h.end * p->w.in + VL;

	for (size_t v = 0; v < all->count; v++) {
		size_t j = first, from = (all->first + v) * plane + first, n = all->elements - from;
		float *sums = all->sums[v] + at;

		for (; j < end && end - j >= ABREAST * VL; j += ABREAST * VL, from += ABREAST * VL, n -= ABREAST * VL)
			column_sums(sums + (j - first), x, from, n, p->w.in, h, ABREAST, 1, maximum, type);
		for (; j < end; j += VL, from += VL, n -= VL)
			if (last <= n)
				column_sums(sums + (j - first), x, from, n, p->w.in, h, 1, 1, maximum, type);
			else
				column_sums(sums + (j - first), x, from, n, p->w.in, h, 1, 0, maximum, type);
	}
}

ISK_INLINE void turn_columns(struct planes *all, size_t n)
{
	for (size_t j = 0; j < n; j += VL)
		turn(all->turned[j], all->sums[0] + j, sizeof(all->sums[0]));
}

/* Adds the next output pixel of all planes, and stores VL of them at once, since pixels of a plane are adjacent. */
ISK_INLINE void emit(struct planes *all, void *y, vf s, size_t cells, const enum isk_type type)
{
	const size_t lane = all->cells % VL, begin = all->cells - lane;
	float back[VL][VL];

	vf_store(all->out[lane], s);
	all->cells++;
	if (lane + 1 < VL && all->cells < cells)
		return;
	turn(back[0], all->out[0], sizeof(all->out[0]));
	for (size_t v = 0; v < all->count; v++)
		vf_store_as(y, (all->first + v) * cells + begin, vf_load(back[v]), lane + 1, type);
}

/*
 * A row of output pixels. Its column sums are in `turned` from column `at` on or, if `turned` has not room for all of them,
 * are computed here, COLUMNS at a time.
 */
ISK_INLINE void row(struct planes *all, size_t at, void *y, const void *x, const struct pooling *p, struct span h,
                    const int maximum, const enum isk_type type)
{
	size_t first = 0, end = p->w.in <= COLUMNS ? p->w.in : 0;
	struct place across = {0, 0};

	for (size_t j = 0; j < p->w.out; j++) {
		const struct span w = span_at(&p->w, &across);
		vf s = none(maximum);

		for (size_t k = w.first; k < w.end;) {
			size_t stop;

			if (k < first || k >= end) {
				first = k;
				end = p->w.in - k < COLUMNS ? p->w.in : k + COLUMNS;
				columns(all, 0, x, p, h, first, end, maximum, type);
				turn_columns(all, end - first);
			}
			stop = w.end < end ? w.end : end;
			for (; k < stop; k++)
				s = one_more(s, vf_load(all->turned[at + k - first]), maximum);
		}
		emit(all, y, maximum ? s : s / terms(p, h, w), p->h.out * p->w.out, type);
	}
}

/* Rows of few columns are transposed together, as many as `turned` has room for. */
ISK_INLINE void pool_nchw(void *y, const void *x, const struct pooling *p, const int maximum, const enum isk_type type)
{
	const size_t count = p->images * p->channels, wide = (p->w.in + VL - 1) / VL * VL;
	const size_t most = !wide || p->w.in > COLUMNS ? 1 : COLUMNS / wide;
	struct span h[COLUMNS / VL];
	struct planes all;

	if (!p->channels || !p->h.out || !p->w.out)
		return;
	for (size_t n = 0; n < count; n += VL) {
		struct place down = {0, 0};

		all.first = n;
		all.count = count - n < VL ? count - n : VL;
		all.elements = count * p->h.in * p->w.in;
		all.cells = 0;
		for (size_t v = all.count; v < VL; v++)
			for (size_t k = 0; k < COLUMNS + VL; k += VL)
				vf_store(all.sums[v] + k, vf_set1(0));
		for (size_t i = 0; i < p->h.out; i += most) {
			const size_t rows = p->h.out - i < most ? p->h.out - i : most;

			for (size_t r = 0; r < rows; r++) {
				h[r] = span_at(&p->h, &down);
				if (p->w.in <= COLUMNS)
					columns(&all, r * wide, x, p, h[r], 0, p->w.in, maximum, type);
			}
			if (p->w.in <= COLUMNS)
				turn_columns(&all, rows * wide);
			for (size_t r = 0; r < rows; r++)
				row(&all, r * wide, y, x, p, h[r], maximum, type);
		}
	}
}

/* Not inlined, so that windows of one size and adaptive ones share one copy of the code. */
#define ISK_AVERAGE(kernel, T, layout)                                         \
	static __attribute__((noinline)) void average_##layout##_##T(ISK_C_##T *y, const ISK_C_##T *x, \
	                                                             const struct pooling *p) \
	{                                                                          \
		pool_##layout(y, x, p, 0, ISK_ENUM_##T);                               \
	}
ISK_EACH_adaptive_avgpool_nhwc(ISK_AVERAGE, nhwc)
ISK_EACH_adaptive_avgpool_nchw(ISK_AVERAGE, nchw)

ISK_EACH_adaptive_avgpool_nhwc(POOL_ADAPTIVE, average_nhwc)
ISK_EACH_adaptive_avgpool_nchw(POOL_ADAPTIVE, average_nchw)
ISK_EACH_avgpool_2d_nhwc(POOL_WINDOWS, average_nhwc)
ISK_EACH_avgpool_2d_nchw(POOL_WINDOWS, average_nchw)

#define ISK_MAXIMUM(kernel, T, layout)                                         \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t images, size_t channel_count, size_t out_height, \
	                    size_t out_width, size_t height, size_t width, unsigned kernel_h, unsigned kernel_w, \
	                    unsigned stride_h, unsigned stride_w, unsigned pad_h, unsigned pad_w) \
	{                                                                          \
		pool_##layout(y, x, &(struct pooling){images, channel_count,          \
		                                      windows(height, out_height, kernel_h, stride_h, pad_h), \
		                                      windows(width, out_width, kernel_w, stride_w, pad_w), 0}, 1, ISK_ENUM_##T); \
	}
ISK_EACH_maxpool_2d_nhwc(ISK_MAXIMUM, nhwc)
ISK_EACH_maxpool_2d_nchw(ISK_MAXIMUM, nchw)
