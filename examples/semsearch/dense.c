/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "dense.h"

const struct weights_name weights_names[WEIGHTS_TYPES] = {
	[WEIGHTS_F32] = {"f32", "gemm_f32"},
	[WEIGHTS_F16] = {"f16", "gemm_f32f16"},
	[WEIGHTS_BF16] = {"bf16", "gemm_bf16_f32"},
	[WEIGHTS_INT8] = {"int8", "gemm_s8s8_f32"},
};

void must(int status)
{
	if (status != ISK_OK)
		errx(1, "isakern: %s", isk_strerror(status));
}

/* x in s8, scaled so that its largest number becomes 127; returns the scale. */
static float quantize(int8_t *narrow, const float *x, size_t n, float *squares)
{
	float scale;

	isk_mul_f32(squares, x, x, n);
	scale = sqrtf(isk_max_f32(squares, n)) / 127;
	scale = scale > 0 ? scale : 1;
	isk_quantize_f32_s8(narrow, x, n, scale, 0);
	return scale;
}

static void pack_int8(struct dense *d, const float *weights, size_t bytes)
{
	int8_t *narrow = alloc(d->out * d->in, sizeof(*narrow));
	float *squares = alloc(d->in, sizeof(*squares));

	d->scale = alloc(d->out, sizeof(*d->scale));
	for (size_t i = 0; i < d->out; i++)
		d->scale[i] = quantize(narrow + i * d->in, weights + i * d->in, d->in, squares);
	must(isk_gemm_pack_s8(d->packed, narrow, bytes, d->in, d->out, d->in, 1));
	free(narrow);
	free(squares);
}

static void pack_bf16(struct dense *d, const float *weights, size_t bytes)
{
	isk_bf16 *narrow = alloc(d->out * d->in, sizeof(*narrow));

	isk_cvt_f32_bf16(narrow, weights, d->out * d->in);
	must(isk_gemm_pack_bf16(d->packed, narrow, bytes, d->in, d->out, d->in, 1));
	free(narrow);
}

struct dense dense_new(enum weights type, const isk_f16 *weights, float *bias, size_t in, size_t out)
{
	static const enum isk_type types[] = {
		[WEIGHTS_F32] = ISK_F32,
		[WEIGHTS_F16] = ISK_F16,
		[WEIGHTS_BF16] = ISK_BF16,
		[WEIGHTS_INT8] = ISK_S8,
	};
	struct dense d = {.type = type, .in = in, .out = out, .bias = bias};
	const size_t bytes = isk_packed_size(types[type], in, out);
	float *wide = alloc(out * in, sizeof(*wide));

	d.packed = alloc(bytes, 1);
	isk_cvt_f16_f32(wide, weights, out * in);
	switch (type) {
	case WEIGHTS_F16:
		must(isk_gemm_pack_f16(d.packed, weights, bytes, in, out, in, 1));
		break;
	case WEIGHTS_BF16:
		pack_bf16(&d, wide, bytes);
		break;
	case WEIGHTS_INT8:
		pack_int8(&d, wide, bytes);
		break;
	default:
		must(isk_gemm_pack_f32(d.packed, wide, bytes, in, out, in, 1));
	}
	free(wide);
	return d;
}

void dense_free(struct dense *d)
{
	free(d->packed);
	free(d->scale);
	free(d->bias);
}

struct dense_space dense_space_new(size_t rows, size_t wide)
{
	return (struct dense_space){
		.narrow = alloc(rows * wide, sizeof(isk_bf16)),
		.sums = alloc(rows * wide, sizeof(float)),
		.row = alloc(rows, sizeof(float)),
	};
}

void dense_space_free(struct dense_space *s)
{
	free(s->narrow);
	free(s->sums);
	free(s->row);
}

/* Rows have scales of their own, which come before the bias: the kernel cannot do the rest. */
static void apply_int8(const struct dense *d, struct dense_space *s, float *y, const float *x, size_t rows,
                       enum isk_activation act, enum isk_binary binary)
{
	const struct isk_post post = {.size = sizeof(post), .scale = d->scale, .scales = d->out};
	int8_t *narrow = s->narrow;

	for (size_t i = 0; i < rows; i++)
		s->row[i] = quantize(narrow + i * d->in, x + i * d->in, d->in, s->sums);
	must(isk_gemm_s8s8_f32(s->sums, narrow, d->packed, rows, d->out, d->in, d->out, d->in, &post));
	for (size_t i = 0; i < rows; i++) {
		float *sum = s->sums + i * d->out, *to = y + i * d->out;

		for (size_t j = 0; j < d->out; j++)
			sum[j] = sum[j] * s->row[i] + d->bias[j];
		if (act == ISK_ACT_GELU)
			isk_gelu_f32(to, sum, d->out);
		else if (binary == ISK_BINARY_ADD)
			isk_add_f32(to, to, sum, d->out);
		else
			memcpy(to, sum, d->out * sizeof(*to));
	}
}

void dense_apply(const struct dense *d, struct dense_space *s, float *y, const float *x, size_t rows,
                 enum isk_activation act, enum isk_binary binary)
{
	const struct isk_post post = {
		.size = sizeof(post),
		.bias = d->bias,
		.act = act,
		.binary = binary,
		.other = y,
		.ldother = d->out,
	};

	switch (d->type) {
	case WEIGHTS_F16:
		must(isk_gemm_f32f16(y, x, d->packed, rows, d->out, d->in, d->out, d->in, &post));
		break;
	case WEIGHTS_BF16:
		isk_cvt_f32_bf16(s->narrow, x, rows * d->in);
		must(isk_gemm_bf16_f32(y, s->narrow, d->packed, rows, d->out, d->in, d->out, d->in, &post));
		break;
	case WEIGHTS_INT8:
		apply_int8(d, s, y, x, rows, act, binary);
		break;
	default:
		must(isk_gemm_f32(y, x, d->packed, rows, d->out, d->in, d->out, d->in, &post));
	}
}
