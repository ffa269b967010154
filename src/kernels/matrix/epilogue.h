/* SPDX-License-Identifier: MIT */
/*
 * The epilogue of products: makes elements of C of a type from sums in f32. An activation
 * that is no clamp is a separate pass over the sums, which scales and biases them as well,
 * so that its code exists once and not for each type of C.
 */
#ifndef ISK_EPILOGUE_H
#define ISK_EPILOGUE_H

#include "post.h"
#include "quantize.h"

typedef void activate_fn(const struct epilogue *e);

ISK_EXTERN activate_fn ISK_PART(activate, activate);

/* Stores n <= VL columns of C, from column j of the tile on. */
ISK_INLINE void emit_columns(const struct epilogue *e, const struct isk_post *post, const struct clamp *c,
                             const struct quantizer *q, size_t j, size_t n, const enum isk_type type,
                             const int has_binary)
{
	static const float one = 1;
	const size_t col = e->col + j, step = post->row_scale != NULL;
	const struct linear l = linear_of(post, col, n);
	const float *row_scale = step ? (const float *)post->row_scale + e->row : &one;
	const vf axpy = vf_set1((float)post->other_scale);

	for (size_t i = 0; i < e->rows; i++, row_scale += step) {
		const size_t row = e->row + i;
		vf x = clamp(vf_fma(vf_load(e->t + i * e->ldt + j), l.scale * *row_scale, l.bias), *c);

		if (has_binary)
			x = combine(x, post->binary, vf_load_as(post->other, row * post->ldother + col, n, type), axpy);
		if (type == ISK_S8 || type == ISK_U8)
			vi_store_as(e->c, row * e->ldc + col, quantize(x, *q), n, type);
		else
			vf_store_as(e->c, row * e->ldc + col, x, n, type);
	}
}

ISK_INLINE void emit(const struct epilogue *e, const struct isk_post *post, const enum isk_type type)
{
	const struct quantizer q = quantizer(post->out_scale, post->out_zero, type);
	struct clamp c;
	size_t j = 0;

	clamp_of(post, &c);
	if (post->binary)
		for (; j + VL <= e->cols; j += VL)
			emit_columns(e, post, &c, &q, j, VL, type, 1);
	else
		for (; j + VL <= e->cols; j += VL)
			emit_columns(e, post, &c, &q, j, VL, type, 0);
	if (j < e->cols)
		emit_columns(e, post, &c, &q, j, e->cols - j, type, post->binary != ISK_BINARY_NONE);
}

/* Whether the sums lie in C itself, at the places of their elements. */
ISK_INLINE int is_in_place(const struct epilogue *e, const enum isk_type type)
{
	return type == ISK_F32 && e->t == (float *)e->c + e->row * e->ldc + e->col;
}

/* The epilogue into a C of this type. */
ISK_INLINE void put_sums(const struct epilogue *e, const enum isk_type type)
{
	struct isk_post post = *e->post;
	struct clamp c;

	if (!clamp_of(&post, &c)) {
		ISK_PART(activate, activate)(e);
		if (!post.binary && is_in_place(e, type))
			return;
		post.act = ISK_ACT_NONE;
		post.scales = 0;
		post.row_scale = post.bias = NULL;
	}
	emit(e, &post, type);
}

#endif
