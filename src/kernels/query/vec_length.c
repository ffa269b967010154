/* SPDX-License-Identifier: MIT */
/* The example kernel: each variant reports its lanes, and so which one was bound. */
#include "vec_length_kernels.h"

size_t ISK_FN(get_vec_length)(void)
{
	return VL;
}
