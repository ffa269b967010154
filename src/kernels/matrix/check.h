/* SPDX-License-Identifier: MIT */
/* The checks of arguments that all shapes of products share. */
#ifndef ISK_CHECK_H
#define ISK_CHECK_H

#include "multiply.h"
#include "quantize.h"

/* Whether the bytes of rows * stride elements overflow size_t. */
ISK_INLINE int extent_overflows(size_t rows, size_t stride, size_t bytes)
{
	size_t extent;

	return __builtin_mul_overflow(rows, stride, &extent) || __builtin_mul_overflow(extent, bytes, &extent);
}

ISK_INLINE int is_8bit(const enum isk_type type)
{
	return type == ISK_S8 || type == ISK_U8;
}

/* Whether an activation is made of linear pieces and their products, without e^x: a C of f64 has no others. */
ISK_INLINE int is_piecewise(enum isk_activation act)
{
	return act <= ISK_ACT_LEAKY_RELU || act == ISK_ACT_HARDSIGMOID || act == ISK_ACT_HARDTANH || act == ISK_ACT_HARDSWISH;
}

/* Checks the post-operations of an m by n product of A into C. */
ISK_INLINE int check_post(const struct isk_post *post, size_t m, size_t n, const enum isk_type a,
                          const enum isk_type c)
{
	const int zeros = post->a_zero || post->row_zero || post->b_zeros;

	if (post->first_column % PANEL || (unsigned)post->act > ISK_ACT_SILU
	    || (unsigned)post->binary > ISK_BINARY_AXPY || (post->scales > 1 && post->scales != n))
		return ISK_ERR_POST;
	if ((c == ISK_S32 && !post_is_plain(post)) || (c == ISK_F64 && !is_piecewise(post->act)))
		return ISK_ERR_POST;
	if (zeros && (!is_8bit(a) || post->a_zero < least_of_type(a) || post->a_zero > greatest_of_type(a)
	              || (post->row_zero && post->a_zero) || (post->b_zeros > 1 && post->b_zeros != n)))
		return ISK_ERR_POST;
	if (is_8bit(c)) {
		if (!(post->out_scale > 0 && post->out_scale <= __FLT_MAX__) || post->out_zero < least_of_type(c)
		    || post->out_zero > greatest_of_type(c))
			return ISK_ERR_POST;
	} else if (post->out_scale != 0 || post->out_zero) {
		return ISK_ERR_POST;
	}
	if (m && n && ((post->scales && !post->scale) || (post->b_zeros && !post->b_zero)
	               || (post->binary && !post->other)))
		return ISK_ERR_NULL;
	if (post->binary && post->ldother < n)
		return ISK_ERR_STRIDE;
	return post->binary && extent_overflows(m, post->ldother, isk_element_bytes(c)) ? ISK_ERR_SIZE : ISK_OK;
}

/* Checks all arguments of a gemm: those in p and the packed matrix. groups: groups of k may have scales. */
ISK_INLINE int check_gemm(const struct product *p, const void *packed, const enum isk_type a, const enum isk_type b,
                          const enum isk_type c, const int groups)
{
	const struct isk_packed *header = packed;
	int status;

	if (p->post->size != sizeof(*p->post)) /* a post of another version, whose other fields are unknown */
		return ISK_ERR_POST;
	if (!packed || (p->m && p->n && (!p->c || (p->k && !p->a))))
		return ISK_ERR_NULL;
	if (p->lda < p->k || p->ldc < p->n)
		return ISK_ERR_STRIDE;
	if (extent_overflows(p->m, p->lda, isk_element_bytes(a)) || extent_overflows(p->m, p->ldc, isk_element_bytes(c)))
		return ISK_ERR_SIZE;
	status = isk_packed_check_header(header, b);
	if (status)
		return status;
	if (header->scale_k && !groups)
		return ISK_ERR_TYPE;
	if (header->k != p->k || p->post->first_column > header->n || p->n > header->n - p->post->first_column)
		return ISK_ERR_SHAPE;
	return check_post(p->post, p->m, p->n, a, c);
}

#endif
