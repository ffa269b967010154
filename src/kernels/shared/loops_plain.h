/* SPDX-License-Identifier: MIT */
/*
 * loops.h for functions that have a fast form for most arguments, the plain ones, and a slower form for all.
 *
 * PLAIN(shape, op, fast, any)   defines the kernels of an operation. fast(inputs, &plain) computes a vector and tells in
 *                               which lanes the result is right; any(inputs) computes the other lanes. 0 should be plain,
 *                               because lanes after the last element are 0
 *
 * The kernel itself calls nothing, because a loop with a call saves registers and aligns the stack first. From a vector
 * that is not plain, the kernel jumps to rare_KERNEL(), which computes ISK_RARE vectors and jumps back. Time relative to a loop
 * with a call (Zen 5): sin and log of 16 elements .75 at avx512 and .88 at avx2, of 256 and 4096 .94 to 1.05;
 * if each vector has a NaN, 1.01 to 1.14. On ISAs without fused multiply-add, any() computes everything.
 */
#ifndef ISK_LOOPS_PLAIN_H
#define ISK_LOOPS_PLAIN_H

#include "loops.h"

enum { ISK_RARE = 16 };

/* Expressions for inputs, for the lists of maps.h. */
#define ISK_NAME(x, ...) x
#define ISK_REST(x, ...) in_##x + i

#define ISK_PLAIN_STEP(m, T, kernel, shape, fast)                              \
	{                                                                          \
		const ISK_VECTOR(T) ISK_INPUTS_##shape(ISK_LOADED, T, m);              \
		vm plain;                                                              \
		const ISK_VECTOR(T) value = fast(ISK_INPUTS_##shape(ISK_NAME, ), &plain); \
                                                                               \
		if (__builtin_expect(!vm_all(plain), 0)) {                             \
			rare_##kernel(out + i, ISK_INPUTS_##shape(ISK_REST, ), n - i);     \
			return;                                                            \
		}                                                                      \
		ISK_STORE(T, out, i, value, m);                                        \
	}
#define ISK_RARE_STEP(m, T, shape, fast, any)                                  \
	{                                                                          \
		const ISK_VECTOR(T) ISK_INPUTS_##shape(ISK_LOADED, T, m);              \
		vm plain;                                                              \
		ISK_VECTOR(T) value = fast(ISK_INPUTS_##shape(ISK_NAME, ), &plain);    \
                                                                               \
		if (__builtin_expect(!vm_all(plain), 0))                               \
			value = vf_sel(plain, value, any(ISK_INPUTS_##shape(ISK_NAME, ))); \
		ISK_STORE(T, out, i, value, m);                                        \
	}
#define ISK_RARE_FUNCTION(kernel, T, shape, fast, any)                         \
	static __attribute__((noinline)) void rare_##kernel(                       \
		ISK_C_##T *out, ISK_INPUTS_##shape(ISK_POINTER, T), size_t n)          \
	{                                                                          \
		const size_t end = n < ISK_RARE * ISK_COUNT(T) ? n : ISK_RARE * ISK_COUNT(T); \
		size_t i = 0;                                                          \
                                                                               \
		for (; i < end; i += ISK_COUNT(T))                                     \
			ISK_RARE_STEP(end - i, T, shape, fast, any)                        \
		if (i < n)                                                             \
			ISK_FN(kernel)(out + i, ISK_INPUTS_##shape(ISK_REST, ), n - i);    \
	}
#define ISK_PLAIN_KERNEL(kernel, T, shape, fast, any)                          \
	ISK_RARE_FUNCTION(kernel, T, shape, fast, any)                             \
	void ISK_FN(kernel)(ISK_C_##T *out, ISK_INPUTS_##shape(ISK_POINTER, T), size_t n) \
	{                                                                          \
		ISK_LOOP(T, ISK_PLAIN_STEP, kernel, shape, fast)                       \
	}

/* ISK_ANY and ISK_FAST declare such functions. */
#if ISK_FMA
#define ISK_ANY  static __attribute__((noinline))
#define PLAIN(shape, op, fast, any) ISK_EACH_##op(ISK_PLAIN_KERNEL, shape, fast, any)
#else
#define ISK_ANY  ISK_INLINE
#define PLAIN(shape, op, fast, any) ISK_MAP(shape, op, any(ISK_INPUTS_##shape(ISK_NAME, )))
#endif
#define ISK_FAST ISK_INLINE __attribute__((unused))

#endif
