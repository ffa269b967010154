/* SPDX-License-Identifier: MIT */
/* bf16 convolution, by vdpbf16ps where no denormal can come up, or by AMX, which knows none. */
#include "conv_bf16_kernels.h"
#include "amx.h"
#include "bf16_pairs.h"
#include "conv.h"
#include "gemm_bf16_kernels.h"

ISK_EXTERN depthwise_fn ISK_PART(depthwise_bf16, depthwise_bf16);

/* The least exponent of all weights; 0 if one is a denormal, infinite or NaN. */
static int least_weight(const struct call *call)
{
	const unsigned char *packed = call->packed;
	int least = 255;

	for (size_t g = 0; g < call->s->matrices; g++) {
		const struct isk_packed *header = (const struct isk_packed *)(const void *)packed;

		least = header->least < least ? header->least : least;
		packed += header->bytes;
	}
	return least;
}

/*
 * In place the padding is left out: 0 times a weight that is finite, and such are
 * weights that meet no denormal, changes no sum that cannot be -0, and without
 * denormals none can.
 */
static void convolve(const struct call *call)
{
	const struct isk_conv *conv = call->conv;
	const struct product wide = {
		.kind = WIDE_BF16, .words = 2, .pack = ISK_PART(pack_a, pack_floats), .micro = ISK_PART(micro_float, micro_bf16),
	};
#if HAS_AMX
	const struct product tiles = {
		.kind = TILES_BF16, .words = 1, .pack = ISK_PART(pack_a, pack_pairs), .micro = ISK_FN(micro_amx_bf16),
	};

	(void)wide;
	if (fits_amx(call) && least_weight(call))
		ISK_PART(direct, conv_direct)(call, TILES_BF16, ISK_FN(micro_amx_bf16), 2);
	else
		multiply_patches(call, &tiles);
#elif VF_DOT_IS_FAST
	const struct product pairs = {
		.kind = PAIRS, .words = 1, .pack = ISK_PART(pack_a, pack_pairs), .micro = ISK_FN(micro_pairs),
	};
	const int least = least_exponent(call->x, conv->images * conv->height * conv->width, conv->channels, call->s->ldx);
	const int least_w = least_weight(call);

	if (!least || !least_w || least + least_w < DOT_EXPONENTS)
		multiply_patches(call, &wide);
	else if (fits_in_place(call, 2))
		ISK_PART(direct, conv_direct)(call, PAIRS, ISK_FN(direct_pairs), 2);
	else
		multiply_patches(call, &pairs);
#else
	multiply_patches(call, &wide);
#endif
	(void)conv;
	(void)least_weight;
}

#define CONV_BF16(kernel, A, B, C, ...)                                        \
	CONV(kernel, A, B, C, gemm_bf16, ISK_PART(depthwise_bf16, depthwise_bf16), convolve)
ISK_EACH_conv(CONV_BF16, )
