/* SPDX-License-Identifier: MIT */
/*
 * cbrt: see cbrt_f32.h. Worst errors over all 2^32 inputs: 1.1831 ulp at 0x1.c265f8p-1 from avx2 up, 1.6003 at
 * 0x1.39280cp-127 at baseline.
 */
#include "cbrt_kernels.h"
#include "cbrt_f32.h"
#include "loops.h"

/* An infinity or a NaN is its own root. */
ISK_INLINE vf cbrt_of(vf x)
{
	const vf a = vf_abs(x);
	const vm is_denormal = vf_lt(a, vf_set1(0x1p-126f));
	const vf y = vf_root(vf_sel(is_denormal, a * 0x1p24f, a), &any_root);
	const vf root = vf_copysign(vf_sel(is_denormal, y * 0x1p-8f, y), x);

	return vf_sel(vf_lt(a, vf_set1(__builtin_inff())), root, x);
}

MAP(cbrt, cbrt_of(x))
