/* SPDX-License-Identifier: MIT */
/* Depthwise convolution of bytes, a source part of its own because AMX needs no variant of it. */
#include "depthwise.h"

drive_fn ISK_FN(depthwise_int);

/* Stores the sums of a tile in a y of any type, since one convolution serves all. */
static void store(const struct depthwise *d, struct span_tile t, vf sums[SPAN])
{
	const struct product *p = d->p;
	const struct isk_post *post = p->post;
	const struct quantizer q = quantizer(post->out_scale, post->out_zero, p->c_type == ISK_S8 ? ISK_S8 : ISK_U8);
	const struct linear l = linear_of(post, t.j, t.n);
	const size_t at = pixel_in_y(d, &t) * p->ldc + t.j;

	if (p->c_type == ISK_S32) {
		store_s32(d, &t, sums);
		return;
	}
#pragma GCC unroll 7
	for (size_t i = 0; i < SPAN; i++)
		sums[i] = vi_to_vf(vf_bits(sums[i]));
	if (!d->clamps) {
		store_by_epilogue(d, &t, sums, ISK_U8);
		return;
	}
	for (size_t i = t.skip; i < t.count; i++) {
		const vf x = clamp(vf_fma(sums[i], l.scale, l.bias), d->clamp);

		if (p->c_type == ISK_F32)
			vf_store_as(p->c, at + i * p->ldc, x, t.n, ISK_F32);
		else
			vi_store_as(p->c, at + i * p->ldc, quantize(x, q), t.n, ISK_U8);
	}
}

void ISK_FN(depthwise_int)(const struct product *p)
{
	depthwise(p, store, ISK_U8);
}
