/* SPDX-License-Identifier: MIT */
#include "conv_direct.h"
#include "depthwise.h"

DEFINE_FINISH(finish, C_F32)
DEFINE_TAPS(tile_f32, B_F32)
DEFINE_STORE(sums_to_f32, finish, ISK_F32, C_F32)

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
		conv_direct(&call, tile_f32, finish, 1, ISK_F32, C_F32);
	return ISK_OK;
}
