/* SPDX-License-Identifier: MIT */
/* The windows of a pool of images, in order on an axis. Their beginnings and ends never decrease. */
#ifndef ISK_WINDOWS_H
#define ISK_WINDOWS_H

#include "kernel.h"

/* An axis of x and of y. On an adaptive axis, windows begin in / out = whole + rest / out pixels apart. */
struct axis {
	size_t in, out, whole, rest;
	unsigned kernel, stride, pad;
	int adaptive;
};

/* The beginning of the next window, at + part / out pixels, counted from the beginning of the padding. */
struct place {
	size_t at, part;
};

/* A window on an axis: its pixels in the image, first to before end, and its length including padding. */
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

/* Returns the window at a place, and moves the place to the next window. */
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

/*
 * The number of windows, of at most `left`, that begin with s and are whole, each a stride after the one before; 1 if s is not
 * whole. Moves the place, which is after s, to the next window.
 */
ISK_INLINE size_t alike_from(const struct axis *a, struct span s, size_t left, struct place *p)
{
	size_t n;

	if (a->adaptive || !a->stride || s.end - s.first != a->kernel)
		return 1;
	n = (a->in - s.end) / a->stride + 1;
	n = n < left ? n : left;
	p->at += (n - 1) * a->stride;
	return n;
}

struct pooling {
	size_t images, channels;
	struct axis h, w;
	int include_pad;
};

/* Kernels with adaptive windows, and with windows of one size, that call pool_T(y, x, pooling). */
#define POOL_ADAPTIVE(kernel, T, pool)                                         \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t images, size_t channel_count, size_t out_height, \
	                    size_t out_width, size_t height, size_t width)         \
	{                                                                          \
		pool##_##T(y, x, &(struct pooling){images, channel_count, adaptive(height, out_height), adaptive(width, out_width), \
		                                   0});                                \
	}
#define POOL_WINDOWS(kernel, T, pool)                                          \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t images, size_t channel_count, size_t out_height, \
	                    size_t out_width, size_t height, size_t width, unsigned kernel_h, unsigned kernel_w, \
	                    unsigned stride_h, unsigned stride_w, unsigned pad_h, unsigned pad_w, unsigned include_pad) \
	{                                                                          \
		pool##_##T(y, x, &(struct pooling){images, channel_count, windows(height, out_height, kernel_h, stride_h, pad_h), \
		                                   windows(width, out_width, kernel_w, stride_w, pad_w), include_pad & 1}); \
	}

ISK_INLINE float terms(const struct pooling *p, struct span h, struct span w)
{
	return p->include_pad ? (float)h.padded * (float)w.padded : (float)(h.end - h.first) * (float)(w.end - w.first);
}

#endif
