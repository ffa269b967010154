/* SPDX-License-Identifier: MIT */
/* Convolutions with sums in f32: depthwise.h, or products of patches and weights by gemm_float.h. */
#ifndef ISK_CONV_FLOAT_H
#define ISK_CONV_FLOAT_H

#include "conv_patch.h"
#include "depthwise.h"
#include "gemm_float.h"

/*
 * A fetch function whose rows are patches. PUT(i, x) brings to element i of this
 * row and the VL - 1 after it the VL elements x. LOAD(x, n) gives the first VL of
 * the n elements at x. Runs come in order, so what is written after one is
 * overwritten by the next, and after the last there is room for a vector.
 */
#define FETCH_PATCHES(type, PUT, LOAD)                                         \
	const struct patches *patches = p->a;                                      \
	struct walk pixel;                                                         \
                                                                               \
	if (rows && k)                                                             \
		pixel = walk_from(patches, row, at);                                   \
	for (; rows && k; rows--, to += stride, next_pixel(patches, &pixel)) {     \
		struct walk walk = pixel;                                              \
		struct run run;                                                        \
                                                                               \
		for (size_t done = 0; done < k; done += run.n) {                       \
			const type *x = patches->x;                                        \
                                                                               \
			run = walk_on(patches, &walk, k - done);                           \
			for (size_t i = 0; i < run.n && run.x != SIZE_MAX; i += VL)        \
				PUT(done + i, LOAD(x + run.x + i, run.n - i));                 \
			for (size_t i = 0; i < run.n && run.x == SIZE_MAX; i += VL)        \
				PUT(done + i, (__typeof(LOAD(x, 0))){0});                      \
		}                                                                      \
	}

/* One product for each group, not in the frame of a kernel that may call another one: it is a large one. */
#define DEFINE_PATCHES(name, fetch, tile, finish, x_type, b_type, y_type)      \
	static __attribute__((noinline)) void name(const struct call *call)        \
	{                                                                          \
		for (size_t g = 0; g < call->conv->groups; g++) {                      \
			const struct group group = group_of(call, g, x_type, y_type);      \
			const struct product p = {                                         \
				.c = group.y,                                                  \
				.a = &group.a,                                                 \
				.panels = group.panels,                                        \
				.n = call->s->columns,                                         \
				.k = call->s->k,                                               \
				.ldc = call->s->ldy,                                           \
				.post = &group.post,                                           \
			};                                                                 \
                                                                               \
			product(&p, group.pixels, fetch, tile, finish, b_type, y_type);    \
		}                                                                      \
	}

#endif
