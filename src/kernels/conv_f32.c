/* SPDX-License-Identifier: MIT */
/* f32 convolution: depthwise.h, or the product of patches and weights of gemm_float.h. */
#include "conv_patch.h"
#include "depthwise.h"
#include "gemm_float.h"

static inline void fetch_patches(float *to, size_t stride, const struct product *p, size_t row, size_t rows,
                                 size_t at, size_t k)
{
	const struct patches *a = p->a;

	for (; rows && k; rows--, to += stride, row++) {
		struct walk walk = walk_from(a, row, at);
		struct run run;

		for (size_t done = 0; done < k; done += run.n) {
			run = walk_on(a, &walk, k - done);
			for (size_t i = 0; i < run.n; i += VL)
				vf_store(to + done + i, run.x == SIZE_MAX
				                            ? vf_set1(0)
				                            : vf_load_upto((const float *)a->x + run.x + i, run.n - i));
		}
	}
}

DEFINE_FINISH(finish, C_F32)
DEFINE_TILE(tile_f32, B_F32)

static void multiply_groups_of(float *y, const float *x, const unsigned char *packed, const struct isk_conv *conv,
                               const struct isk_conv_sizes *s, const struct isk_post *post)
{
	struct patches a = {x, conv, s};

	for (size_t g = 0; g < conv->groups; g++) {
		const struct isk_post part = post_from(post, g * s->columns, sizeof(*y));
		const struct product p = {
			.c = y + g * s->columns,
			.a = &a,
			.panels = packed + g * isk_packed_bytes(ISK_F32, s->k, s->columns) + ISK_PACKED_LINE,
			.n = s->columns,
			.k = s->k,
			.ldc = s->ldy,
			.post = &part,
		};

		a.x = x + g * (conv->channels / conv->groups);
		product(&p, conv->images * s->out_height * s->out_width, fetch_patches, tile_f32, finish, B_F32, C_F32);
	}
}

int ISK_FN(conv_f32)(float *y, const float *x, const void *packed, const struct isk_conv *conv,
                     const struct isk_post *post)
{
	struct isk_conv_sizes s;
	struct depthwise d = {.y = y, .x = x, .conv = conv, .s = &s, .post = post ? post : &isk_no_post};
	const int status = check_conv(y, x, packed, conv, d.post, &s, sizeof(*x), ISK_F32, C_F32, 0, 0);

	if (status)
		return status;
	if (s.multiplier) {
		d.panels = (const unsigned char *)packed + ISK_PACKED_LINE;
		d.clamps = clamp_of(d.post, &d.clamp);
		depthwise(&d, finish, ISK_F32, C_F32);
	} else if (is_plain_matrix(conv)) {
		return ISK_FN(gemm_f32)(y, x, packed, conv->images * conv->height * conv->width, conv->out_channels,
		                        conv->channels, s.ldy, s.ldx, post);
	} else {
		multiply_groups_of(y, x, packed, conv, &s, d.post);
	}
	return ISK_OK;
}
