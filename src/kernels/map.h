/* SPDX-License-Identifier: MIT */
/* The loops of map kernels, in a form each: y[i] = f(x[i]) for a function f of one vector. */
#ifndef ISK_MAP_H
#define ISK_MAP_H

#include "kernel.h"

#define ISK_MAP(kernel, f)                                                     \
	void ISK_FN(kernel)(float *y, const float *x, size_t n)                    \
	{                                                                          \
		size_t i = 0;                                                          \
                                                                               \
		for (; n - i >= VL; i += VL)                                           \
			vf_store(y + i, f(vf_load(x + i)));                                \
		if (i < n)                                                             \
			vf_store_n(y + i, f(vf_load_n(x + i, n - i)), n - i);              \
	}

#endif
