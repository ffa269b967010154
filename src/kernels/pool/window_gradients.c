/* SPDX-License-Identifier: MIT */
/*
 * Gradients of averages of windows: the gradient of a pixel is the sum of dy / count over its windows, in ascending
 * order of rows of windows, then of windows. The windows of a pixel are successive on either axis, and the first of
 * them advances with the pixel. Worst error found: 0.465 eps * (terms + 2) * sum |dy / count|, of f32 drawn at random.
 */
#include "window_gradients_kernels.h"
#include "loops.h"
#include "windows.h"

/* A window, its number, and the place of the next one. */
struct window {
	size_t number;
	struct span at;
	struct place next;
};

ISK_INLINE void next_window(const struct axis *a, struct window *w)
{
	w->number++;
	w->at = span_at(a, &w->next);
}

ISK_INLINE struct window first_window(const struct axis *a)
{
	struct window w = {.number = 0};

	w.at = span_at(a, &w.next);
	return w;
}

/* Advances to the first window that ends after position k. */
ISK_INLINE void reach(const struct axis *a, struct window *w, size_t k)
{
	while (w->number < a->out && w->at.end <= k)
		next_window(a, w);
}

/* Whether there is such a window and it begins before `end`. */
ISK_INLINE int begins_before(const struct axis *a, const struct window *w, size_t end)
{
	return w->number < a->out && w->at.first < end;
}

#define BESIDE 4

/* Channels from c on of a pixel, in `beside` vectors, the last one of `tail` channels. Its first windows are h and w. */
ISK_INLINE void channels(void *dx, size_t at, const void *dy, size_t image, const struct pooling *p, size_t row,
                         struct window h, size_t column, const struct window w, size_t c, const size_t beside,
                         size_t tail, const enum isk_type type)
{
	vf s[BESIDE];

	for (size_t v = 0; v < beside; v++)
		s[v] = vf_set1(0);
	for (; begins_before(&p->h, &h, row + 1); next_window(&p->h, &h))
		for (struct window j = w; begins_before(&p->w, &j, column + 1); next_window(&p->w, &j)) {
			const size_t cell = image + (h.number * p->w.out + j.number) * p->channels + c;
			const vf count = vf_set1(terms(p, h.at, j.at));

#pragma GCC unroll 4
			for (size_t v = 0; v < beside; v++)
				s[v] += vf_load_as(dy, cell + v * VL, v + 1 < beside ? VL : tail, type) / count;
		}
	for (size_t v = 0; v < beside; v++)
		vf_store_as(dx, at + c + v * VL, s[v], v + 1 < beside ? VL : tail, type);
}

ISK_INLINE void gradient_nhwc(void *dx, const void *dy, const struct pooling *p, const enum isk_type type)
{
	size_t at = 0;

	if (!p->channels || !p->h.in || !p->w.in)
		return;
	for (size_t n = 0; n < p->images; n++) {
		const size_t image = n * p->h.out * p->w.out * p->channels;
		struct window h = first_window(&p->h);

		for (size_t i = 0; i < p->h.in; i++) {
			struct window w = first_window(&p->w);

			reach(&p->h, &h, i);
			for (size_t j = 0; j < p->w.in; j++, at += p->channels) {
				size_t c = 0;

				reach(&p->w, &w, j);
				for (; p->channels - c >= BESIDE * VL; c += BESIDE * VL)
					channels(dx, at, dy, image, p, i, h, j, w, c, BESIDE, VL, type);
				for (; p->channels - c >= VL; c += VL)
					channels(dx, at, dy, image, p, i, h, j, w, c, 1, VL, type);
				if (c < p->channels)
					channels(dx, at, dy, image, p, i, h, j, w, c, 1, p->channels - c, type);
			}
		}
	}
}

/* The number of columns that are summed at a time */
#define COLUMNS 512

/* Adds one quotient to the sums from first to before end. */
ISK_INLINE void add(float *sums, size_t first, size_t end, float quotient)
{
	for (; end - first >= VL; first += VL)
		vf_store(sums + first, vf_load(sums + first) + quotient);
	for (; first < end; first++)
		sums[first] += quotient;
}

/* count pixels from `column` on of a row. h is the first window of the row, w the first window of that column. */
ISK_INLINE void pixels(void *dx, size_t at, const void *dy, size_t plane, const struct pooling *p, size_t row,
                       struct window h, size_t column, size_t count, const struct window w, const enum isk_type type)
{
	float sums[COLUMNS + VL];

	for (size_t k = 0; k < count; k += VL)
		vf_store(sums + k, vf_set1(0));
	for (; begins_before(&p->h, &h, row + 1); next_window(&p->h, &h))
		for (struct window j = w; begins_before(&p->w, &j, column + count); next_window(&p->w, &j)) {
			const vf cell = vf_load_as(dy, plane + h.number * p->w.out + j.number, 1, type);
			const size_t first = j.at.first > column ? j.at.first - column : 0, end = j.at.end - column;

			if (j.at.first < j.at.end)
				add(sums, first, end < count ? end : count, cell[0] / terms(p, h.at, j.at));
		}
	for (size_t k = 0; k < count; k += VL)
		vf_store_as(dx, at + k, vf_load(sums + k), count - k, type);
}

ISK_INLINE void gradient_nchw(void *dx, const void *dy, const struct pooling *p, const enum isk_type type)
{
	if (!p->channels || !p->h.in || !p->w.in)
		return;
	for (size_t n = 0; n < p->images * p->channels; n++) {
		struct window h = first_window(&p->h);

		for (size_t i = 0; i < p->h.in; i++) {
			struct window w = first_window(&p->w);

			reach(&p->h, &h, i);
			for (size_t j = 0; j < p->w.in; j += COLUMNS) {
				reach(&p->w, &w, j);
				pixels(dx, (n * p->h.in + i) * p->w.in + j, dy, n * p->h.out * p->w.out, p, i, h, j,
				       p->w.in - j < COLUMNS ? p->w.in - j : COLUMNS, w, type);
			}
		}
	}
}

/* Not inlined, so that windows of one size and adaptive ones share one copy of the code. */
#define GRADIENT(kernel, T, layout)                                            \
	static __attribute__((noinline)) void average_##layout##_##T(ISK_C_##T *dx, const ISK_C_##T *dy, \
	                                                             const struct pooling *p) \
	{                                                                          \
		gradient_##layout(dx, dy, p, ISK_ENUM_##T);                            \
	}
ISK_EACH_adaptive_avgpool_backward_nhwc(GRADIENT, nhwc)
ISK_EACH_adaptive_avgpool_backward_nchw(GRADIENT, nchw)

ISK_EACH_adaptive_avgpool_backward_nhwc(POOL_ADAPTIVE, average_nhwc)
ISK_EACH_adaptive_avgpool_backward_nchw(POOL_ADAPTIVE, average_nchw)
ISK_EACH_avgpool_2d_backward_nhwc(POOL_WINDOWS, average_nhwc)
ISK_EACH_avgpool_2d_backward_nchw(POOL_WINDOWS, average_nchw)
