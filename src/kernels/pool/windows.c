/* SPDX-License-Identifier: MIT */
/*
 * Pools of images: each output pixel is the average or maximum of a window.
 * Where channels are innermost they are the lanes, and a window is added in the
 * order of its pixels. Where pixels are, columns of the windows of a row are summed
 * first, as lanes, then those of each window. Worst error found: 0.486 of eps *
 * (terms + 2) * mean |terms|.
 */
#include "windows_kernels.h"
#include "loops.h"

/* An axis of x and of y. Adaptive, a window begins each in / out = whole + rest / out pixels. */
struct axis {
	size_t in, out, whole, rest;
	unsigned kernel, stride, pad;
	int adaptive;
};

/* Where the next window begins, from the beginning of the padding: part / out of a pixel beyond at. */
struct place {
	size_t at, part;
};

/* A window on an axis, and how long it is with what is of it in the padding. */
struct span {
	size_t first, end, padded;
};

ISK_INLINE struct axis adaptive(size_t in, size_t out)
{
	return (struct axis){.in = in, .out = out, .whole = out ? in / out : 0, .rest = out ? in % out : 0, .adaptive = 1};
}

ISK_INLINE struct axis windows(size_t in, size_t out, unsigned kernel, unsigned stride, unsigned pad)
{
	return (struct axis){.in = in, .out = out, .kernel = kernel, .stride = stride, .pad = pad};
}

/* The window at a place, which goes on to the next. */
ISK_INLINE struct span span_at(const struct axis *a, struct place *p)
{
	struct span s;

	if (a->adaptive) {
		s.first = p->at;
		p->at += a->whole;
		p->part += a->rest;
		if (p->part >= a->out) {
			p->part -= a->out;
			p->at++;
		}
		s.end = p->at + (p->part != 0);
		s.padded = s.end - s.first;
	} else {
		const size_t from = p->at, high = a->in + 2 * (size_t)a->pad;
		const size_t to = from + a->kernel < high ? from + a->kernel : high;

		p->at += a->stride;
		s.padded = to > from ? to - from : 0;
		s.first = from > a->pad ? from - a->pad : 0;
		s.end = to > a->pad ? to - a->pad : 0;
		s.end = s.end < a->in ? s.end : a->in;
		s.first = s.first < s.end ? s.first : s.end;
	}
	return s;
}

struct pooling {
	size_t images, channels;
	struct axis h, w;
	int include_pad;
};

ISK_INLINE float terms(const struct pooling *p, struct span h, struct span w)
{
	return p->include_pad ? (float)h.padded * (float)w.padded : (float)(h.end - h.first) * (float)(w.end - w.first);
}

ISK_INLINE vf one_more(vf s, vf x, const int maximum)
{
	return maximum ? vf_sel(vm_or(vf_gt(x, s), vf_isnan(x)), x, s) : s + x;
}

ISK_INLINE vf none(const int maximum)
{
	return vf_set1(maximum ? -__builtin_inff() : 0.0f);
}

#define BESIDE 4

/* Channels from c on, in vectors beside each other, whose last one has tail of them: x is an image, y a pixel. */
ISK_INLINE void channels(void *y, size_t at, const void *x, size_t image, const struct pooling *p, struct span h,
                         struct span w, size_t c, const size_t beside, size_t tail, const int maximum,
                         const enum isk_type type)
{
	vf s[BESIDE];

	for (size_t v = 0; v < beside; v++)
		s[v] = none(maximum);
	for (size_t i = h.first; i < h.end; i++)
		for (size_t j = w.first; j < w.end; j++)
#pragma GCC unroll 4
			for (size_t v = 0; v < beside; v++)
				s[v] = one_more(s[v], vf_load_as(x, image + (i * p->w.in + j) * p->channels + c + v * VL, v + 1 < beside ? VL : tail, type),
				                maximum);
	for (size_t v = 0; v < beside; v++) {
		if (!maximum)
			s[v] /= terms(p, h, w);
		vf_store_as(y, at + c + v * VL, s[v], v + 1 < beside ? VL : tail, type);
	}
}

ISK_INLINE void pool_nhwc(void *y, const void *x, const struct pooling *p, const int maximum, const enum isk_type type)
{
	size_t at = 0;

	if (!p->channels || !p->h.out || !p->w.out)
		return;
	for (size_t n = 0; n < p->images; n++) {
		const size_t image = n * p->h.in * p->w.in * p->channels;
		struct place down = {0, 0};

		for (size_t i = 0; i < p->h.out; i++) {
			const struct span h = span_at(&p->h, &down);
			struct place across = {0, 0};

			for (size_t j = 0; j < p->w.out; j++, at += p->channels) {
				const struct span w = span_at(&p->w, &across);
				size_t c = 0;

				for (; p->channels - c >= BESIDE * VL; c += BESIDE * VL)
					channels(y, at, x, image, p, h, w, c, BESIDE, VL, maximum, type);
				for (; p->channels - c >= VL; c += VL)
					channels(y, at, x, image, p, h, w, c, 1, VL, maximum, type);
				if (c < p->channels)
					channels(y, at, x, image, p, h, w, c, 1, p->channels - c, maximum, type);
			}
		}
	}
}

/* Columns that are summed at a time. */
#define COLUMNS 512

/* Of columns from first on, to end: what rows of a window come to. */
ISK_INLINE void columns(float *sums, const void *x, size_t plane, size_t width, struct span h, size_t first, size_t end,
                        const int maximum, const enum isk_type type)
{
	for (size_t j = first; j < end; j += VL) {
		vf s = none(maximum);

		for (size_t i = h.first; i < h.end; i++)
			s = one_more(s, vf_load_as(x, plane + i * width + j, end - j, type), maximum);
		vf_store(sums + (j - first), s);
	}
}

/* A row of output pixels from element at of y on. */
ISK_INLINE void row(void *y, size_t at, const void *x, size_t plane, const struct pooling *p, struct span h,
                    const int maximum, const enum isk_type type)
{
	float sums[COLUMNS + VL], out[VL], counts[VL];
	size_t first = 0, end = 0;
	struct place across = {0, 0};

	for (size_t j = 0; j < p->w.out; j++) {
		const struct span w = span_at(&p->w, &across);
		const size_t lane = j % VL;
		float s = maximum ? -__builtin_inff() : 0;

		for (size_t k = w.first; k < w.end;) {
			size_t stop;

			if (k < first || k >= end) {
				first = k;
				end = p->w.in - k < COLUMNS ? p->w.in : k + COLUMNS;
				columns(sums, x, plane, p->w.in, h, first, end, maximum, type);
			}
			stop = w.end < end ? w.end : end;
			for (; k < stop; k++)
				if (!maximum)
					s += sums[k - first];
				else if (sums[k - first] > s || sums[k - first] != sums[k - first])
					s = sums[k - first];
		}
		out[lane] = s;
		counts[lane] = terms(p, h, w);
		if (lane + 1 == VL || j + 1 == p->w.out)
			vf_store_as(y, at + j - lane, maximum ? vf_load_n(out, lane + 1) : vf_load_n(out, lane + 1) / vf_load_n(counts, lane + 1),
			            lane + 1, type);
	}
}

ISK_INLINE void pool_nchw(void *y, const void *x, const struct pooling *p, const int maximum, const enum isk_type type)
{
	if (!p->channels || !p->h.out || !p->w.out)
		return;
	for (size_t n = 0; n < p->images * p->channels; n++) {
		struct place down = {0, 0};

		for (size_t i = 0; i < p->h.out; i++)
			row(y, (n * p->h.out + i) * p->w.out, x, n * p->h.in * p->w.in, p, span_at(&p->h, &down), maximum, type);
	}
}

/* Not inlined: averages of windows and adaptive ones are one text. */
#define ISK_LAYOUT(kernel, T, layout)                                          \
	static __attribute__((noinline)) void average_##layout##_##T(ISK_C_##T *y, const ISK_C_##T *x, \
	                                                             const struct pooling *p) \
	{                                                                          \
		pool_##layout(y, x, p, 0, ISK_ENUM_##T);                               \
	}                                                                          \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t images, size_t channel_count, size_t out_height, \
	                    size_t out_width, size_t height, size_t width)         \
	{                                                                          \
		average_##layout##_##T(y, x, &(struct pooling){images, channel_count, adaptive(height, out_height), \
		                                               adaptive(width, out_width), 0}); \
	}
ISK_EACH_adaptive_avgpool_nhwc(ISK_LAYOUT, nhwc)
ISK_EACH_adaptive_avgpool_nchw(ISK_LAYOUT, nchw)

#define ISK_AVERAGE(kernel, T, layout)                                         \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t images, size_t channel_count, size_t out_height, \
	                    size_t out_width, size_t height, size_t width, unsigned kernel_h, unsigned kernel_w, \
	                    unsigned stride_h, unsigned stride_w, unsigned pad_h, unsigned pad_w, unsigned include_pad) \
	{                                                                          \
		average_##layout##_##T(y, x, &(struct pooling){images, channel_count, \
		                                               windows(height, out_height, kernel_h, stride_h, pad_h), \
		                                               windows(width, out_width, kernel_w, stride_w, pad_w), \
		                                               include_pad & 1});      \
	}
ISK_EACH_avgpool_2d_nhwc(ISK_AVERAGE, nhwc)
ISK_EACH_avgpool_2d_nchw(ISK_AVERAGE, nchw)

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
