/* SPDX-License-Identifier: MIT */
/* Convolutions with sums in f32: depthwise.h, or products of patches and weights by gemm_float.h. */
#ifndef ISK_CONV_FLOAT_H
#define ISK_CONV_FLOAT_H

#include "conv_patch.h"
#include "depthwise.h"
#include "gemm_float.h"

/*
 * A fetch function whose rows are patches. PUT(i, n, x) brings to element i of
 * this row and the VL - 1 after it what is at x, of which n elements are there,
 * or zeros where x is NULL. Runs come in order, so what is written after one is
 * overwritten by the next, and after the last there is room for a vector.
 */
#define FETCH_PATCHES(type, PUT)                                               \
	for (; rows && k; rows--, to += stride, row++) {                           \
		const struct patches *patches = p->a;                                  \
		struct walk walk = walk_from(patches, row, at);                        \
		struct run run;                                                        \
                                                                               \
		for (size_t done = 0; done < k; done += run.n) {                       \
			run = walk_on(patches, &walk, k - done);                           \
			for (size_t i = 0; i < run.n; i += VL)                             \
				PUT(done + i, run.n - i,                                       \
				    run.x == SIZE_MAX ? NULL : (const type *)patches->x + run.x + i); \
		}                                                                      \
	}

/* One product for each group. */
ISK_INLINE void multiply_patches(void *y, const void *x, const unsigned char *packed, const struct isk_conv *conv,
                                 const struct isk_conv_sizes *s, const struct isk_post *post, fetch_fn *fetch,
                                 tile_fn *tile, finish_fn *finish, const enum isk_type type,
                                 const enum isk_b b_type, const enum isk_c c_type)
{
	const size_t x_bytes = type == ISK_F32 ? 4 : 2, y_bytes = c_bytes(c_type);

	for (size_t g = 0; g < conv->groups; g++) {
		const struct isk_post part = post_from(post, g * s->columns, y_bytes);
		const struct patches a = {(const unsigned char *)x + g * (conv->channels / conv->groups) * x_bytes, conv, s};
		const struct product p = {
			.c = (unsigned char *)y + g * s->columns * y_bytes,
			.a = &a,
			.panels = packed + g * isk_packed_bytes(type, s->k, s->columns) + ISK_PACKED_LINE,
			.n = s->columns,
			.k = s->k,
			.ldc = s->ldy,
			.post = &part,
		};

		product(&p, conv->images * s->out_height * s->out_width, fetch, tile, finish, b_type, c_type);
	}
}

#endif
