/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <stdlib.h>

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

static void pack_int8(struct dense *d, const float *weights, size_t bytes)
{
	int8_t *narrow = alloc(d->out * d->in, sizeof(*narrow));

	/* Rows of the stored matrix are the columns of the product. */
	d->scale = alloc(d->out, sizeof(*d->scale));
	isk_quantize_rows_f32_s8(narrow, d->scale, NULL, weights, d->out, d->in, d->in, d->in);
	must(isk_gemm_pack_s8(d->packed, narrow, bytes, d->in, d->out, d->in, 1));
	free(narrow);
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
		.scale = alloc(rows, sizeof(float)),
	};
}

void dense_space_free(struct dense_space *s)
{
	free(s->narrow);
	free(s->scale);
}

void dense_apply(const struct dense *d, struct dense_space *s, float *y, const float *x, size_t rows,
                 enum isk_activation act, enum isk_binary binary)
{
	struct isk_post post = {
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
		isk_quantize_rows_f32_s8(s->narrow, s->scale, NULL, x, rows, d->in, d->in, d->in);
		post.row_scale = s->scale;
		post.scale = d->scale;
		post.scales = d->out;
		must(isk_gemm_s8s8_f32(y, s->narrow, d->packed, rows, d->out, d->in, d->out, d->in, &post));
		break;
	default:
		must(isk_gemm_f32(y, x, d->packed, rows, d->out, d->in, d->out, d->in, &post));
	}
}
