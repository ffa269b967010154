/* SPDX-License-Identifier: MIT */
/* Complex numbers as they lie in memory, the real and the imaginary part in neighbouring lanes. For the types cf32 and cf64. */
#ifndef ISK_COMPLEX_LANES_H
#define ISK_COMPLEX_LANES_H

#include "of_type.h"

/* Neighbours in each pair of lanes change places. */
ISK_INLINE vec swapped(vec v)
{
#if VL == 16
	return TYPE == ISK_CF32 ? (vec)vf_swap_pairs((vf)v)
	                        : (vec)__builtin_shufflevector((vf)v, (vf)v, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
#elif VL == 8
	return TYPE == ISK_CF32 ? (vec)vf_swap_pairs((vf)v) : (vec)__builtin_shufflevector((vf)v, (vf)v, 2, 3, 0, 1, 6, 7, 4, 5);
#else
	return TYPE == ISK_CF32 ? (vec)vf_swap_pairs((vf)v) : (vec)__builtin_shufflevector((vf)v, (vf)v, 2, 3, 0, 1);
#endif
}

/* A number for each real part, and one for each imaginary part. */
ISK_INLINE vec parts(lane of_re, lane of_im)
{
	lane both[COUNT];

	for (size_t i = 0; i < COUNT; i += 2) {
		both[i] = of_re;
		both[i + 1] = of_im;
	}
	return load_lanes(both, 0, COUNT);
}

#endif
