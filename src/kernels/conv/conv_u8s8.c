/* SPDX-License-Identifier: MIT */
/* u8 by s8 convolutions: in the image as it is where one instruction takes four channels, else of patches. */
#include "conv_u8s8_kernels.h"
#include "amx.h"
#include "conv.h"
#include "gemm_int_kernels.h"

ISK_EXTERN depthwise_fn ISK_PART(depthwise_u8s8, depthwise_u8s8);

static void convolve(const struct call *call)
{
#if HAS_AMX
	const struct product how = {
		.kind = TILES_US, .words = 1, .pack = ISK_PART(pack_a, pack_bytes), .micro = ISK_FN(micro_amx_us),
		.row_sums = ISK_FN(row_sums_amx),
	};

	if (fits_amx(call)) {
		ISK_PART(direct, conv_direct)(call, TILES_US, ISK_FN(micro_amx_us), 4);
		return;
	}
#else
	const struct product how = {
		.kind = FOURS, .words = VI_DOT_STEPS, .pack = ISK_PART(micro_fours, pack_fours),
		.micro = ISK_PART(micro_fours, micro_fours), .row_sums = ISK_PART(micro_fours, row_sums_fours),
	};

#if VI_DOT_STEPS == 1
	/* The padding, being 0, can be left out. */
	if (!call->post->a_zero && !call->post->b_zeros && fits_in_place(call, 4)) {
		ISK_PART(direct, conv_direct)(call, FOURS, ISK_FN(direct_fours), 4);
		return;
	}
#endif
#endif
	multiply_patches(call, &how);
}

#define CONV_U8S8(kernel, A, B, C, ...)                                        \
	CONV(kernel, A, B, C, ISK_PASTE2(gemm_u8s8_, C), ISK_PART(depthwise_u8s8, depthwise_u8s8), convolve)
ISK_EACH_conv(CONV_U8S8, )
