/* SPDX-License-Identifier: MIT */
/*
 * f32 to bf16 and back, in integers; from avx512_bf16 up, by the instruction
 * for it where there are no denormals.
 */
#include "kernel.h"

void ISK_FN(cvt_f32_bf16)(isk_bf16 *y, const float *x, size_t n)
{
	size_t i = 0;

	for (; n - i >= VL; i += VL)
		vf_store_bf16(y + i, vf_load(x + i));
	if (i < n)
		vf_store_bf16_n(y + i, vf_load_n(x + i, n - i), n - i);
}

static inline vf quiet(vf v)
{
	return vi_float(vi_sel(vf_isnan(v), vf_bits(v) | 0x400000, vf_bits(v)));
}

void ISK_FN(cvt_bf16_f32)(float *y, const isk_bf16 *x, size_t n)
{
	size_t i = 0;

	for (; n - i >= VL; i += VL)
		vf_store(y + i, quiet(vf_load_bf16(x + i)));
	if (i < n)
		vf_store_n(y + i, quiet(vf_load_bf16_n(x + i, n - i)), n - i);
}
