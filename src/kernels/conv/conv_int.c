/* SPDX-License-Identifier: MIT */
/* u8 and s8 by s8 convolutions. They read the image in place if one instruction takes four of its channels, else patches. */
#include "conv_int_kernels.h"
#include "amx.h"
#include "conv.h"
#include "gemm_int_kernels.h"

ISK_EXTERN drive_fn ISK_PART(depthwise_int, depthwise_int);

static void convolve(struct product *p)
{
	const int is_signed = p->a_type == ISK_S8;
#if HAS_AMX
	const enum operand kind = is_signed ? TILES_SS : TILES_US;
	const int in_place = fits_in_place(p, kind);

	p->row_sums = ISK_FN(row_sums_amx);
	multiply_group(p, kind, in_place ? NULL : ISK_PART(pack_a, pack_bytes),
	               is_signed ? ISK_FN(micro_amx_ss) : ISK_FN(micro_amx_us));
#else
	p->row_sums = ISK_PART(micro_fours, row_sums_fours);
#if VI_DOT_STEPS == 1 && !VI_DOT_IS_SIGNED
	if (!is_signed && fits_in_place(p, FOURS)) {
		multiply_group(p, FOURS, NULL, ISK_FN(direct_fours));
		return;
	}
#endif
	take_as_dot_does(p, is_signed);
	multiply_group(p, FOURS, ISK_PART(micro_fours, pack_fours), ISK_PART(micro_fours, micro_fours));
#endif
}

#define CONV_INT(kernel, A, B, C, ...)                                         \
	CONV(kernel, A, B, C, ISK_PASTE4(gemm_, A, s8_, C), ISK_PART(depthwise_int, depthwise_int), convolve)
ISK_EACH_conv(CONV_INT, )
