/* SPDX-License-Identifier: MIT */
/*
 * Fast maps beside correctly rounded kernels:
 *
 * EXACTLY(op, exact)                       defines any_op(x), which computes the lanes of a vector by the exact kernel
 * MAP_BY_FMA(op, exact, f(x))              MAP on ISAs with fused multiply-add; on others the exact kernel computes all
 * MAP_BY_FMA_WHERE(op, exact, plain, f(x)) likewise, but the exact kernel computes lanes that are not plain. 0 should be
 *                                          plain, because lanes after the last element are 0
 */
#ifndef ISK_EXACTLY_H
#define ISK_EXACTLY_H

#include "loops_plain.h"

#define EXACTLY(op, exact)                                                     \
	void ISK_FN(exact)(float *y, const float *x, size_t n);                    \
                                                                               \
	static __attribute__((noinline)) vf any_##op(vf x)                         \
	{                                                                          \
		float lanes[VL];                                                       \
                                                                               \
		vf_store(lanes, x);                                                    \
		ISK_FN(exact)(lanes, lanes, VL);                                       \
		return vf_load(lanes);                                                 \
	}

#define ISK_MAP_BY_FMA(kernel, T, exact, value)                                \
	void ISK_FN(exact)(ISK_C_##T *y, const ISK_C_##T *x, size_t n);            \
                                                                               \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##T *in_x, size_t n)       \
	{                                                                          \
		if (!ISK_FMA) {                                                        \
			ISK_FN(exact)(out, in_x, n);                                       \
			return;                                                            \
		}                                                                      \
		ISK_LOOP(T, ISK_MAP_STEP, map, value)                                  \
	}
#define MAP_BY_FMA(op, exact, value) ISK_EACH_##op(ISK_MAP_BY_FMA, exact, value)

#define FAST(op, is_plain, value)                                              \
	ISK_FAST vf fast_##op(vf x, vm *plain)                                     \
	{                                                                          \
		*plain = is_plain;                                                     \
		return value;                                                          \
	}
#if ISK_FMA
#define MAP_BY_FMA_WHERE(op, exact, is_plain, value)                           \
	EXACTLY(op, exact)                                                         \
	FAST(op, is_plain, value)                                                  \
	PLAIN(map, op, fast_##op, any_##op)
#else
#define MAP_BY_FMA_WHERE(op, exact, is_plain, value)                           \
	FAST(op, is_plain, value)                                                  \
	MAP_BY_FMA(op, exact, x)
#endif

#endif
