/* SPDX-License-Identifier: MIT */
/* bf16 convolution, by vdpbf16ps if no denormal can occur, or by AMX, which takes denormals for 0. */
#include "conv_bf16_kernels.h"
#include "amx.h"
#include "bf16_pairs.h"
#include "conv.h"
#include "gemm_bf16_kernels.h"

ISK_EXTERN drive_fn ISK_PART(depthwise_bf16, depthwise_bf16);

/* Whether neither x nor the weights nor their products contain denormals. */
static int knows_no_denormal(const struct product *p)
{
	const struct isk_conv_sizes *s = sizes_of(p);

	return meet_no_denormal(p->a, s->images * s->down.size * s->along.size, s->in_group, s->ldx, p->least);
}

/*
 * Reading in place skips the padding. This is right because 0 times a finite weight changes
 * no sum except -0: weights that pass knows_no_denormal() are finite, and a sum begins with
 * +0 and becomes -0 only if a denormal is taken for 0, with AMX as well.
 */
static void convolve(struct product *p)
{
#if HAS_AMX
	const int in_place = fits_in_place(p, TILES_BF16) && knows_no_denormal(p);

	multiply_group(p, TILES_BF16, in_place ? NULL : ISK_PART(pack_a, pack_pairs), ISK_FN(micro_amx_bf16));
#else
	if (!VF_DOT_IS_FAST || !knows_no_denormal(p))
		multiply_group(p, WIDE_BF16, ISK_PART(pack_a, pack_floats), ISK_PART(micro_float, micro_bf16));
#if VF_DOT_IS_FAST
	else if (fits_in_place(p, PAIRS))
		multiply_group(p, PAIRS, NULL, ISK_FN(direct_pairs));
	else
		multiply_group(p, PAIRS, ISK_PART(pack_a, pack_pairs), ISK_FN(micro_pairs));
#endif
#endif
}

#define GEMM_bf16 gemm_bf16
#define GEMM_f32  gemm_bf16_f32
#define CONV_BF16(kernel, A, B, C, ...)                                        \
	CONV(kernel, A, B, C, GEMM_##C, ISK_PART(depthwise_bf16, depthwise_bf16), convolve)
ISK_EACH_conv(CONV_BF16, )
