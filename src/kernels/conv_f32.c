/* SPDX-License-Identifier: MIT */
#include "conv_float.h"

#define PUT(i, x, n) vf_store(to + (i), vf_load_upto(x, n))

static __attribute__((noinline)) void fetch(float *to, size_t stride, const struct product *p,
                                            size_t row, size_t rows, size_t at, size_t k)
{
	FETCH_PATCHES(float, PUT)
}

DEFINE_FINISH(finish, C_F32)
DEFINE_TILE(tile_f32, B_F32)
DEFINE_STORE(sums_to_f32, finish, ISK_F32, C_F32)

DEFINE_PATCHES(patches_f32, fetch, tile_f32, finish, ISK_F32, B_F32, C_F32)

int ISK_FN(conv_f32)(float *y, const float *x, const void *packed, const struct isk_conv *conv,
                     const struct isk_post *post)
{
	struct isk_conv_sizes s;
	const struct call call = {y, x, packed, conv, &s, post ? post : &isk_no_post};
	const int status = check_conv(&call, &s, sizeof(*x), ISK_F32, C_F32, 0, 0);

	if (status)
		return status;
	if (is_plain_matrix(conv))
		return ISK_FN(gemm_f32)(y, x, packed, conv->images * conv->height * conv->width, conv->out_channels,
		                        conv->channels, s.ldy, s.ldx, post);
	if (s.multiplier)
		depthwise(&call, sums_to_f32, ISK_F32, C_F32);
	else
		patches_f32(&call);
	return ISK_OK;
}
