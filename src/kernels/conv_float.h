/* SPDX-License-Identifier: MIT */
/* Convolutions of bf16 that are not depthwise: products of patches and weights by gemm_float.h. */
#ifndef ISK_CONV_FLOAT_H
#define ISK_CONV_FLOAT_H

#include "conv_patch.h"
#include "gemm_float.h"

/*
 * A fetch function whose rows are patches. PUT(i, x, n) brings to element i of
 * this row and the VL - 1 after it the first VL of the n elements at x. Runs come
 * in order, so what is written after one is overwritten by the next, and after
 * the last there is room for a vector.
 */
#define FETCH_PATCHES(type, PUT)                                               \
	static const type outside[VL];                                             \
	struct pixel pixel;                                                        \
	struct walk first;                                                         \
                                                                               \
	if (!rows || !k)                                                           \
		return;                                                                \
	pixel = pixel_from(p->a, row);                                             \
	first = walk_from(p->a, at);                                               \
	for (size_t r = 0; r < rows; r++, to += stride, next_pixel(p->a, &pixel)) { \
		struct walk walk = walk_at(first, pixel);                              \
		struct run run;                                                        \
                                                                               \
		for (size_t done = 0; done < k; done += run.n) {                       \
			const type *x = outside;                                           \
			size_t step = 0;                                                   \
                                                                               \
			run = walk_on(&walk, k - done);                                    \
			if (run.x != SIZE_MAX) {                                           \
				x = (const type *)((const struct patches *)p->a)->x + run.x;   \
				step = VL;                                                     \
			}                                                                  \
			for (size_t i = 0; i < run.n; i += VL, x += step)                  \
				PUT(done + i, x, run.n - i);                                   \
		}                                                                      \
	}

static inline struct product product_of(const struct call *call, const struct group *group)
{
	return (struct product){
		.c = group->y,
		.a = &group->a,
		.panels = group->panels,
		.n = call->s->columns,
		.k = call->s->k,
		.ldc = call->s->ldy,
		.post = &group->post,
	};
}

/* One product for each group, not in the frame of a kernel that may call another one: it is a large one. */
#define DEFINE_PATCHES(name, fetch, tile, finish, x_type, b_type, y_type)      \
	static __attribute__((noinline)) void name(const struct call *call)        \
	{                                                                          \
		for (size_t g = 0; g < call->conv->groups; g++) {                      \
			const struct group group = group_of(call, g, x_type, y_type);      \
			const struct product p = product_of(call, &group);                 \
                                                                               \
			product(&p, group.pixels, fetch, tile, finish, b_type, y_type);    \
		}                                                                      \
	}

#endif
