/* SPDX-License-Identifier: MIT */
/* The example kernel: each variant returns its number of lanes, which shows the variant that was bound. */
#include "vec_length_kernels.h"

size_t ISK_FN(get_vec_length)(void)
{
	return VL;
}
