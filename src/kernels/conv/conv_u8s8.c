/* SPDX-License-Identifier: MIT */
/* u8 by s8 convolutions: in the image as it is where one instruction takes four channels, else of patches. */
#include "conv_u8s8_kernels.h"
#include "amx.h"
#include "conv.h"
#include "gemm_int_kernels.h"

ISK_EXTERN drive_fn ISK_PART(depthwise_u8s8, depthwise_u8s8);

static void convolve(struct product *p)
{
#if HAS_AMX
	p->row_sums = ISK_FN(row_sums_amx);
	if (fits_in_place(p, TILES_US))
		multiply_in_place(p, TILES_US, ISK_FN(micro_amx_us));
	else
		multiply_patches(p, TILES_US, ISK_PART(pack_a, pack_bytes), ISK_FN(micro_amx_us));
#else
	p->row_sums = ISK_PART(micro_fours, row_sums_fours);
#if VI_DOT_STEPS == 1
	if (fits_in_place(p, FOURS)) {
		multiply_in_place(p, FOURS, ISK_FN(direct_fours));
		return;
	}
#endif
	multiply_patches(p, FOURS, ISK_PART(micro_fours, pack_fours), ISK_PART(micro_fours, micro_fours));
#endif
}

#define CONV_U8S8(kernel, A, B, C, ...)                                        \
	CONV(kernel, A, B, C, ISK_PASTE2(gemm_u8s8_, C), ISK_PART(depthwise_u8s8, depthwise_u8s8), convolve)
ISK_EACH_conv(CONV_U8S8, )
