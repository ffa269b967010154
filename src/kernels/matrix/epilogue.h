/* SPDX-License-Identifier: MIT */
/*
 * The epilogue of products: from sums in f32 to elements of C of a type. An
 * activation that is no clamp is a pass of its own over the sums, which scales and
 * biases them as well: so there is one of each, not one for each type of C.
 */
#ifndef ISK_EPILOGUE_H
#define ISK_EPILOGUE_H

#include "post.h"
#include "quantize.h"

typedef void activate_fn(const struct epilogue *e);

extern activate_fn ISK_PART(activate, activate);

ISK_INLINE void emit(const struct epilogue *e, const struct isk_post *post, const enum isk_type type)
{
	const struct quantizer q = quantizer(post->out_scale, post->out_zero, type);
	const vf axpy = vf_set1(post->other_scale);
	struct clamp c;

	clamp_of(post, &c);
	for (size_t j = 0; j < e->cols; j += VL) {
		const size_t n = e->cols - j < VL ? e->cols - j : VL, col = e->col + j;
		const struct linear l = linear_of(post, col, n);

		for (size_t i = 0; i < e->rows; i++) {
			const size_t row = e->row + i;
			vf x = clamp(vf_fma(vf_load(e->t + i * e->ldt + j), scale_of(post, l, row), l.bias), c);

			if (post->binary)
				x = combine(x, post->binary, vf_load_as(post->other, row * post->ldother + col, n, type), axpy);
			if (type == ISK_S8 || type == ISK_U8)
				vi_store_as(e->c, row * e->ldc + col, quantize(x, q), n, type);
			else
				vf_store_as(e->c, row * e->ldc + col, x, n, type);
		}
	}
}

#define DEFINE_EPILOGUE(name, type)                                            \
	void ISK_FN(name)(const struct epilogue *e)                                \
	{                                                                          \
		struct isk_post post = *e->post;                                       \
		struct clamp c;                                                        \
                                                                               \
		if (!clamp_of(&post, &c)) {                                            \
			ISK_PART(activate, activate)(e);                                   \
			post.act = ISK_ACT_NONE;                                           \
			post.scales = 0;                                                   \
			post.row_scale = post.bias = NULL;                                 \
		}                                                                      \
		emit(e, &post, type);                                                  \
	}

#endif
