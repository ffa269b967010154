/* SPDX-License-Identifier: MIT */
/* f32 to f16 and back: F16C from avx2 up, integers that give the same bits at baseline. */
#include "kernel.h"

void ISK_FN(cvt_f32_f16)(isk_f16 *y, const float *x, size_t n)
{
	size_t i = 0;

	for (; n - i >= VL; i += VL)
		vf_store_f16(y + i, vf_load(x + i));
	if (i < n)
		vf_store_f16_n(y + i, vf_load_n(x + i, n - i), n - i);
}

void ISK_FN(cvt_f16_f32)(float *y, const isk_f16 *x, size_t n)
{
	size_t i = 0;

	for (; n - i >= VL; i += VL)
		vf_store(y + i, vf_load_f16(x + i));
	if (i < n)
		vf_store_n(y + i, vf_load_f16_n(x + i, n - i), n - i);
}
