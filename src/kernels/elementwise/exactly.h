/* SPDX-License-Identifier: MIT */
/* EXACTLY(op, kernel): any_op(x) takes lanes to a kernel and back. */
#ifndef ISK_EXACTLY_H
#define ISK_EXACTLY_H

#include "kernel.h"

#define EXACTLY(op, kernel)                                                    \
	void ISK_FN(kernel)(float *y, const float *x, size_t n);                   \
                                                                               \
	static __attribute__((noinline)) vf any_##op(vf x)                         \
	{                                                                          \
		float lanes[VL];                                                       \
                                                                               \
		vf_store(lanes, x);                                                    \
		ISK_FN(kernel)(lanes, lanes, VL);                                      \
		return vf_load(lanes);                                                 \
	}

#endif
