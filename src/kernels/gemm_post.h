/* SPDX-License-Identifier: MIT */
/*
 * What all matrix products share: the checks of their arguments, and the way
 * from sums in f32 to elements of C. A file of kernels names the type of its C
 * with an enum isk_c that is constant wherever it is used.
 */
#ifndef ISK_GEMM_POST_H
#define ISK_GEMM_POST_H

#include "kernel.h"
#include "packed.h"
#include "quantize.h"
#include "vmath.h"

enum isk_c { C_F32, C_BF16, C_F16, C_S8, C_U8, C_S32 };

/* Post-operations that do nothing, for callers that give none. */
static const struct isk_post isk_no_post = {.size = sizeof(isk_no_post)};

ISK_INLINE size_t c_bytes(const enum isk_c type)
{
	return type == C_F32 || type == C_S32 ? 4 : type == C_BF16 || type == C_F16 ? 2 : 1;
}

ISK_INLINE int quantized(const enum isk_c type)
{
	return type == C_S8 || type == C_U8;
}

/* The first min(n, VL) elements from element at on. */
ISK_INLINE vf c_load(const void *c, size_t at, size_t n, const enum isk_c type)
{
	switch (type) {
	case C_BF16:
		return n >= VL ? vf_load_bf16((const uint16_t *)c + at)
		               : vf_load_bf16_n((const uint16_t *)c + at, n);
	case C_F16:
		return n >= VL ? vf_load_f16((const uint16_t *)c + at) : vf_load_f16_n((const uint16_t *)c + at, n);
	case C_S8:
		return vi_to_vf(n >= VL ? vi_load_s8((const int8_t *)c + at)
		                        : vi_load_s8_n((const int8_t *)c + at, n));
	case C_U8:
		return vi_to_vf(n >= VL ? vi_load_u8((const uint8_t *)c + at)
		                        : vi_load_u8_n((const uint8_t *)c + at, n));
	default:
		return vf_load_upto((const float *)c + at, n);
	}
}

ISK_INLINE void c_store(void *c, size_t at, size_t n, vf x, struct quantizer q, const enum isk_c type)
{
	switch (type) {
	case C_BF16:
		if (n >= VL)
			vf_store_bf16((uint16_t *)c + at, x);
		else
			vf_store_bf16_n((uint16_t *)c + at, x, n);
		break;
	case C_F16:
		if (n >= VL)
			vf_store_f16((uint16_t *)c + at, x);
		else
			vf_store_f16_n((uint16_t *)c + at, x, n);
		break;
	case C_S8:
	case C_U8:
		if (n >= VL)
			vi_store_8((uint8_t *)c + at, quantize(x, q));
		else
			vi_store_8_n((uint8_t *)c + at, quantize(x, q), n);
		break;
	default:
		vf_store_upto((float *)c + at, x, n);
	}
}

ISK_INLINE vf activate(vf x, const enum isk_activation act, vf a, vf b)
{
	const vf zero = vf_set1(0), one = vf_set1(1), six = vf_set1(6);
	const vf hard = vf_min(one, vf_max(zero, vf_fma(x, one / six, one / 2)));

	switch (act) {
	case ISK_ACT_NONE:
		return x;
	case ISK_ACT_RELU:
		return vf_relu(x);
	case ISK_ACT_RELU6:
		return vf_min(six, vf_relu(x));
	case ISK_ACT_LEAKY_RELU:
		return vf_sel(vf_lt(x, zero), x * a, x);
	case ISK_ACT_SIGMOID:
		return vf_sigmoid(x);
	case ISK_ACT_HARDSIGMOID:
		return hard;
	case ISK_ACT_TANH:
		return vf_tanh(x);
	case ISK_ACT_HARDTANH:
		return vf_min(b, vf_max(a, x));
	case ISK_ACT_HARDSWISH:
		/* not -Inf * 0 */
		return vf_max(vf_set1(-3), x) * hard;
	case ISK_ACT_GELU:
		return vf_gelu(x);
	case ISK_ACT_GELU_TANH:
		return vf_gelu_tanh(x);
	case ISK_ACT_SILU:
		return vf_silu(x);
	}
	return x;
}

ISK_INLINE vf combine(vf x, enum isk_binary binary, vf other, vf scale)
{
	switch (binary) {
	case ISK_BINARY_NONE:
		return x;
	case ISK_BINARY_ADD:
		return x + other;
	case ISK_BINARY_SUB:
		return x - other;
	case ISK_BINARY_MUL:
		return x * other;
	case ISK_BINARY_AXPY:
		return vf_fma(scale, other, x);
	}
	return x;
}

/*
 * rows by cols of C, of which (row, col) is the first element, from their sums.
 * A missing scale is 1 and a missing bias -0, which change no bit.
 */
ISK_INLINE void finish_as(void *c, size_t ldc, const float *t, size_t ldt, size_t row, size_t col,
                          size_t rows, size_t cols, const struct isk_post *post,
                          const enum isk_activation act, const enum isk_c type)
{
	const vf a = vf_set1(post->act_a), b = vf_set1(post->act_b), axpy = vf_set1(post->other_scale);
	const struct quantizer q = quantizer(post->out_scale, post->out_zero, type == C_U8 ? 0 : INT8_MIN,
	                                     type == C_U8 ? UINT8_MAX : INT8_MAX);

	for (size_t j = 0; j < cols; j += VL) {
		const size_t n = cols - j < VL ? cols - j : VL;
		const vf scale = post->scales == 0   ? vf_set1(1)
		                 : post->scales == 1 ? vf_set1(*post->scale)
		                                     : vf_load_upto(post->scale + col + j, n);
		const vf bias = post->bias ? vf_load_upto(post->bias + col + j, n) : vf_set1(-0.0f);

		for (size_t i = 0; i < rows; i++) {
			vf x = activate(vf_fma(vf_load(t + i * ldt + j), scale, bias), act, a, b);

			if (post->binary != ISK_BINARY_NONE)
				x = combine(x, post->binary,
				            c_load(post->other, (row + i) * post->ldother + col + j, n, type), axpy);
			c_store(c, (row + i) * ldc + col + j, n, x, q, type);
		}
	}
}

#define FINISH(act, type)                                                      \
	case act:                                                                  \
		finish_as(c, ldc, t, ldt, row, col, rows, cols, post, act, type);      \
		break;

/*
 * c and post->other are whole matrices; t, of rows ldt apart and readable up to
 * a whole vector, is the part.
 */
typedef void finish_fn(void *c, size_t ldc, const float *t, size_t ldt, size_t row, size_t col, size_t rows,
                       size_t cols, const struct isk_post *post);

#define DEFINE_FINISH(name, type)                                              \
	static void name(void *c, size_t ldc, const float *t, size_t ldt, size_t row, size_t col, \
	                 size_t rows, size_t cols, const struct isk_post *post)    \
	{                                                                          \
		switch (post->act) {                                                   \
			FINISH(ISK_ACT_NONE, type)                                         \
			FINISH(ISK_ACT_RELU, type)                                         \
			FINISH(ISK_ACT_RELU6, type)                                        \
			FINISH(ISK_ACT_LEAKY_RELU, type)                                   \
			FINISH(ISK_ACT_SIGMOID, type)                                      \
			FINISH(ISK_ACT_HARDSIGMOID, type)                                  \
			FINISH(ISK_ACT_TANH, type)                                         \
			FINISH(ISK_ACT_HARDTANH, type)                                     \
			FINISH(ISK_ACT_HARDSWISH, type)                                    \
			FINISH(ISK_ACT_GELU, type)                                         \
			FINISH(ISK_ACT_GELU_TANH, type)                                    \
			FINISH(ISK_ACT_SILU, type)                                         \
		}                                                                      \
	}

/* Fetches rows of bytes, ld bytes apart, to be read or written. */
ISK_INLINE void fetch_rows(const char *x, size_t ld, size_t rows, size_t bytes, const int write)
{
	for (; rows; rows--, x += ld)
		for (size_t i = 0; i < bytes; i += 64)
			if (write)
				__builtin_prefetch(x + i, 1);
			else
				__builtin_prefetch(x + i);
}

/* Fetches the part of post->other that finish() will want: it may not have been touched for long. */
ISK_INLINE void fetch_other(const struct isk_post *post, size_t row, size_t col, size_t rows, size_t cols,
                            const enum isk_c type)
{
	const char *x = (const char *)post->other + (row * post->ldother + col) * c_bytes(type);

	if (post->binary)
		fetch_rows(x, post->ldother * c_bytes(type), rows, cols * c_bytes(type), 0);
}

ISK_INLINE int post_is_plain(const struct isk_post *post)
{
	return !post->scales && !post->bias && post->act == ISK_ACT_NONE && post->binary == ISK_BINARY_NONE;
}

/* Whether rows * stride elements can be counted in bytes. */
ISK_INLINE int extent_overflows(size_t rows, size_t stride, size_t bytes)
{
	size_t extent;

	return __builtin_mul_overflow(rows, stride, &extent) || __builtin_mul_overflow(extent, bytes, &extent);
}

/*
 * The post-operations of an m by n product into this type; low and high are the
 * least and the largest value of an 8-bit A, both 0 where A is a float, and
 * groups says whether B may have scales for groups of k.
 */
ISK_INLINE int check_post(const struct isk_post *post, size_t m, size_t n, const enum isk_c type,
                          const int32_t low, const int32_t high, const int groups)
{
	if (post->first_column % ISK_PACKED_PANEL || (unsigned)post->act > ISK_ACT_SILU
	    || (unsigned)post->binary > ISK_BINARY_AXPY || (post->scales > 1 && post->scales != n))
		return ISK_ERR_POST;
	if (type == C_S32 && !post_is_plain(post))
		return ISK_ERR_POST;
	if (post->a_zero < low || post->a_zero > high
	    || (post->b_zeros && (high == 0 || (post->b_zeros > 1 && post->b_zeros != n))))
		return ISK_ERR_POST;
	if (quantized(type)) {
		const int32_t least = type == C_U8 ? 0 : INT8_MIN, most = type == C_U8 ? UINT8_MAX : INT8_MAX;

		if (!(post->out_scale > 0 && post->out_scale <= __FLT_MAX__) || post->out_zero < least
		    || post->out_zero > most)
			return ISK_ERR_POST;
	} else if (post->out_scale != 0 || post->out_zero) {
		return ISK_ERR_POST;
	}
	if (post->group && (!groups || (post->group != 32 && post->group != 64 && post->group != 128)))
		return ISK_ERR_POST;
	if (m && n && ((post->scales && !post->scale) || (post->b_zeros && !post->b_zero)
	               || (post->binary && !post->other)))
		return ISK_ERR_NULL;
	if ((post->binary && post->ldother < n) || (post->group && post->ldgroup < n))
		return ISK_ERR_STRIDE;
	if (post->binary && extent_overflows(m, post->ldother, c_bytes(type)))
		return ISK_ERR_SIZE;
	return ISK_OK;
}

/* The panel of a column that is the first of its panel. */
ISK_INLINE const unsigned char *first_panel(const void *packed, const enum isk_type type, size_t k,
                                            size_t column)
{
	return (const unsigned char *)packed + ISK_PACKED_LINE
	       + column / ISK_PACKED_PANEL * isk_packed_depth(type, k) * ISK_PACKED_LINE;
}

/* All arguments of a gemm: see check_post() for low, high and groups. */
ISK_INLINE int check_gemm(const void *c, const void *a, const void *packed, size_t m, size_t n, size_t k,
                          size_t ldc, size_t lda, const struct isk_post *post, const size_t a_bytes,
                          const enum isk_type b_type, const enum isk_c type, const int32_t low,
                          const int32_t high, const int groups)
{
	const struct isk_packed *header = packed;
	size_t groups_of_k;
	int status;

	if (post->size != sizeof(*post)) /* of another version: its other fields are not known */
		return ISK_ERR_POST;
	if (!packed || (!c && m && n) || (m && n && k && (!a || (groups && post->group && !post->group_scale))))
		return ISK_ERR_NULL;
	if (lda < k || ldc < n)
		return ISK_ERR_STRIDE;
	if (extent_overflows(m, lda, a_bytes) || extent_overflows(m, ldc, c_bytes(type)))
		return ISK_ERR_SIZE;
	status = isk_packed_check_header(header, b_type);
	if (status)
		return status;
	if (header->k != k || post->first_column > header->n || n > header->n - post->first_column)
		return ISK_ERR_SHAPE;
	status = check_post(post, m, n, type, low, high, groups);
	if (status)
		return status;
	groups_of_k = post->group ? k / post->group + (k % post->group != 0) : 0;
	return extent_overflows(groups_of_k, post->ldgroup, sizeof(float)) ? ISK_ERR_SIZE : ISK_OK;
}

#endif
