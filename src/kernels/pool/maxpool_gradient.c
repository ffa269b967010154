/* SPDX-License-Identifier: MIT */
/*
 * Gradients of maxima of windows: window after window, the gradient is added to the pixel that is the maximum. If
 * channels are innermost (NHWC), they are the lanes in which the maximum is found.
 */
#include "maxpool_gradient_kernels.h"
#include "loops.h"
#include "windows.h"

ISK_INLINE float element(const void *x, size_t i, const enum isk_type type)
{
	float f;
	uint32_t bits;

	if (type == ISK_F32)
		return ((const float *)x)[i];
	bits = (uint32_t)((const uint16_t *)x)[i] << 16;
	__builtin_memcpy(&f, &bits, sizeof(f));
	return f;
}

ISK_INLINE void add_to(void *dx, size_t at, float dy, const enum isk_type type)
{
	vf_store_as(dx, at, vf_set1(element(dx, at, type) + dy), 1, type);
}

ISK_INLINE void clear(void *dx, size_t at, size_t n, const enum isk_type type)
{
	for (size_t i = 0; i < n; i += VL)
		vf_store_as(dx, at + i, vf_set1(0), n - i, type);
}

/* One window of n channels. The image's channels begin at element `from` of x, their gradients at element `cell` of dy. */
ISK_INLINE void window_nhwc(void *dx, const void *dy, size_t cell, const void *x, size_t from, const struct pooling *p,
                            struct span h, struct span w, size_t n, const enum isk_type type)
{
	vf most = vf_set1(-__builtin_inff());
	vi down = vi_set1(0), across = vi_set1(0);
	int32_t rows[VL], columns[VL];

	for (size_t i = h.first; i < h.end; i++)
		for (size_t j = w.first; j < w.end; j++) {
			const vf pixel = vf_load_as(x, from + (i * p->w.in + j) * p->channels, n, type);
			const vm more = vm_or(vf_gt(pixel, most), vf_isnan(pixel));

			most = vf_sel(more, pixel, most);
			down = vi_sel(more, vi_set1((int32_t)(i - h.first)), down);
			across = vi_sel(more, vi_set1((int32_t)(j - w.first)), across);
		}
	vi_store(rows, down);
	vi_store(columns, across);
	for (size_t c = 0; c < n && c < VL; c++) {
		const size_t i = h.first + (uint32_t)rows[c], j = w.first + (uint32_t)columns[c];

		add_to(dx, from + (i * p->w.in + j) * p->channels + c, element(dy, cell + c, type), type);
	}
}

/* One window of a plane, which begins at element `from` of x. */
ISK_INLINE void window_nchw(void *dx, const void *dy, size_t cell, const void *x, size_t from, const struct pooling *p,
                            struct span h, struct span w, const enum isk_type type)
{
	size_t at = from + h.first * p->w.in + w.first;
	float most = -__builtin_inff();

	for (size_t i = h.first; i < h.end; i++)
		for (size_t j = w.first; j < w.end; j++) {
			const float pixel = element(x, from + i * p->w.in + j, type);

			if (pixel > most || pixel != pixel) {
				most = pixel;
				at = from + i * p->w.in + j;
			}
		}
	add_to(dx, at, element(dy, cell, type), type);
}

/* A plane is an image (NHWC) or a channel of an image (NCHW); its pixels have `depth` elements. */
ISK_INLINE void gradient(void *dx, const void *dy, const void *x, const struct pooling *p, size_t planes, const size_t depth,
                         const int nhwc, const enum isk_type type)
{
	const size_t pixels = p->h.in * p->w.in;

	if (!p->channels || !p->h.in || !p->w.in)
		return;
	for (size_t n = 0, cell = 0; n < planes; n++) {
		struct place down = {0, 0};

		clear(dx, n * pixels * depth, pixels * depth, type);
		for (size_t i = 0; p->w.out && i < p->h.out; i++) {
			const struct span h = span_at(&p->h, &down);
			struct place across = {0, 0};

			for (size_t j = 0; j < p->w.out; j++, cell += depth) {
				const struct span w = span_at(&p->w, &across);

				if (h.first == h.end || w.first == w.end)
					continue;
				if (nhwc)
					for (size_t c = 0; c < depth; c += VL)
						window_nhwc(dx, dy, cell + c, x, n * pixels * depth + c, p, h, w, depth - c, type);
				else
					window_nchw(dx, dy, cell, x, n * pixels, p, h, w, type);
			}
		}
	}
}

#define GRADIENT(kernel, T, planes, depth, nhwc)                               \
	void ISK_FN(kernel)(ISK_C_##T *dx, const ISK_C_##T *dy, const ISK_C_##T *x, size_t images, size_t channels, \
	                    size_t out_height, size_t out_width, size_t height, size_t width, unsigned kernel_h, \
	                    unsigned kernel_w, unsigned stride_h, unsigned stride_w, unsigned pad_h, unsigned pad_w) \
	{                                                                          \
		const struct pooling p = {images, channels, windows(height, out_height, kernel_h, stride_h, pad_h), \
		                          windows(width, out_width, kernel_w, stride_w, pad_w), 0}; \
                                                                               \
		gradient(dx, dy, x, &p, planes, depth, nhwc, ISK_ENUM_##T);            \
	}
ISK_EACH_maxpool_2d_backward_nhwc(GRADIENT, images, channels, 1)
ISK_EACH_maxpool_2d_backward_nchw(GRADIENT, images * channels, 1, 0)
