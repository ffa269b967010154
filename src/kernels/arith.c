/* SPDX-License-Identifier: MIT */
/* Sums and products, element by element. */
#include "kernel.h"

#define ZIP(kernel, op)                                                                    \
	void ISK_FN(kernel)(float *y, const float *a, const float *b, size_t n)                \
	{                                                                                      \
		size_t i = 0;                                                                      \
                                                                                           \
		for (; n - i >= VL; i += VL)                                                       \
			vf_store(y + i, vf_load(a + i) op vf_load(b + i));                             \
		if (i < n)                                                                         \
			vf_store_n(y + i, vf_load_n(a + i, n - i) op vf_load_n(b + i, n - i), n - i);  \
	}

ZIP(add_f32, +)
ZIP(mul_f32, *)
