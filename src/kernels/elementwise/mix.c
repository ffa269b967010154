/* SPDX-License-Identifier: MIT */
/* Sums of products, in which one product is fused with the addition. */
#include "mix_kernels.h"
#include "loops_streamed.h"

ZIP3(lerp, v_fused(c, b, v_fused(-c, a, a)))
ZIP3_SCALAR(addcmul, v_fused(b *alpha, c, a))

#define STEP(m, T, value)                                                                                    \
	{                                                                                                        \
		const ISK_VECTOR(T) x = ISK_LOAD(T, in, i, m), y = ISK_LOAD(T, out, i, m);                           \
                                                                                                             \
		ISK_STORE(T, out, i, value, m);                                                                      \
	}
#define AXPY(kernel, T, ...)                                                                                 \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##T *in, size_t n, ISK_SCALAR(T) alpha)                 \
	{                                                                                                        \
		ISK_LOOP(T, STEP, v_fused(x, v_set1(x, alpha), y))                                                   \
	}
#define AXPBY(kernel, T, ...)                                                                                \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##T *in, size_t n, ISK_SCALAR(T) alpha,                 \
	                    ISK_SCALAR(T) beta)                                                                  \
	{                                                                                                        \
		ISK_LOOP(T, STEP, v_fused(x, v_set1(x, alpha), y * beta))                                             \
	}

ISK_EACH_axpy(AXPY)
ISK_EACH_axpby(AXPBY)
