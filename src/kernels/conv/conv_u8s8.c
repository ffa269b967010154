/* SPDX-License-Identifier: MIT */
/* u8 by s8 convolutions. They read the image in place if one instruction takes four of its channels, else patches. */
#include "conv_u8s8_kernels.h"
#include "amx.h"
#include "depthwise.h"
#include "gemm_int_kernels.h"

/* One depthwise convolution serves all types of y, because only the stores depend on them. */
DEFINE_STORE(store_s32, ISK_U8, ISK_S32)
DEFINE_STORE(store_f32, ISK_U8, ISK_F32)
DEFINE_STORE(store_u8, ISK_U8, ISK_U8)

static void convolve_depthwise(const struct product *p)
{
	store_fn *store = p->c_type == ISK_S32 ? store_s32 : p->c_type == ISK_F32 ? store_f32 : store_u8;

	depthwise(p, store, ISK_U8, p->c_type);
}

static void convolve(struct product *p)
{
#if HAS_AMX
	const int in_place = fits_in_place(p, TILES_US);

	p->row_sums = ISK_FN(row_sums_amx);
	multiply_group(p, TILES_US, in_place ? NULL : ISK_PART(pack_a, pack_bytes), ISK_FN(micro_amx_us));
#else
	p->row_sums = ISK_PART(micro_fours, row_sums_fours);
#if VI_DOT_STEPS == 1 && !VI_DOT_IS_SIGNED
	if (fits_in_place(p, FOURS)) {
		multiply_group(p, FOURS, NULL, ISK_FN(direct_fours));
		return;
	}
#endif
	take_as_dot_does(p, 0);
	multiply_group(p, FOURS, ISK_PART(micro_fours, pack_fours), ISK_PART(micro_fours, micro_fours));
#endif
}

#define CONV_U8S8(kernel, A, B, C, ...)                                        \
	CONV(kernel, A, B, C, ISK_PASTE2(gemm_u8s8_, C), convolve_depthwise, convolve)
ISK_EACH_conv(CONV_U8S8, )
