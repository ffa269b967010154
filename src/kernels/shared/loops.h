/* SPDX-License-Identifier: MIT */
/*
 * The loops of the elementwise shapes. Each macro takes an operation and its expression on
 * vectors, and defines a kernel for every type that kernels.tbl lists for the operation.
 * Whole vectors are loaded and stored without a mask, because masks are slow with AVX2; only
 * the last elements have one.
 *
 * MAP(op, f(x))            likewise ZIP(op, f(a, b)) and each shape that is a map. The expression uses the names that
 *                          the row of the shape in shapes.tbl gives inputs and values (maps.h)
 * QUANTIZE(op, f(x), g)    from float lanes to integers. f may use the quantizer q. g converts the vectors x[0..3] to
 *                          four[0..3] with the multiplier p
 */
#ifndef ISK_LOOPS_H
#define ISK_LOOPS_H

#include "kernel.h"
#include "maps.h"

#define ISK_LOAD(T, p, i, n)     ISK_PASTE2(ISK_VECTOR(T), _load_as)(p, i, n, ISK_ENUM_##T)
#define ISK_STORE(T, p, i, v, n) ISK_PASTE2(ISK_VECTOR(T), _store_as)(p, i, v, n, ISK_ENUM_##T)

/* STEP(m, ...) for m elements from i on: whole vectors, then the remaining elements. */
#define ISK_LOOP(T, STEP, ...)                                                 \
	size_t i = 0;                                                              \
                                                                               \
	for (; n - i >= ISK_COUNT(T); i += ISK_COUNT(T))                           \
		STEP(ISK_COUNT(T), T, __VA_ARGS__)                                     \
	if (i < n)                                                                 \
		STEP(n - i, T, __VA_ARGS__)

/* The parameter, the load and the type of an input or value, for the lists of maps.h. */
#define ISK_POINTER(x, T)   const ISK_C_##T *in_##x
#define ISK_LOADED(x, T, m) x = ISK_LOAD(T, in_##x, i, m)
#define ISK_VALUE(type, x)  type x
#define ISK_SCALAR(T)       ISK_PASTE2(ISK_SCALAR_, T)

#define ISK_MAP_STEP(m, T, shape, value)                                       \
	{                                                                          \
		const ISK_VECTOR(T) ISK_INPUTS_##shape(ISK_LOADED, T, m);              \
                                                                               \
		ISK_STORE(T, out, i, value, m);                                        \
	}
#define ISK_MAP_KERNEL(kernel, T, shape, value)                                \
	void ISK_FN(kernel)(ISK_C_##T *out, ISK_INPUTS_##shape(ISK_POINTER, T),    \
	                    size_t n ISK_VALUES_##shape(ISK_VALUE, T))                \
	{                                                                          \
		ISK_LOOP(T, ISK_MAP_STEP, shape, value)                                \
	}
#define ISK_MAP(shape, op, value) ISK_EACH_##op(ISK_MAP_KERNEL, shape, value)

#define ISK_QUANTIZE_STEP(m, F, T, value)                                      \
	{                                                                          \
		const ISK_VECTOR(F) x = ISK_LOAD(F, in, i, m);                         \
                                                                               \
		vi_store_as(out, i, value, m, ISK_ENUM_##T);                           \
	}
/* Quantizes four vectors, which are stored at once. */
#define ISK_QUANTIZE_FOUR(F, T, values)                                          \
	{                                                                          \
		ISK_VECTOR(F) x[4];                                                    \
		vi four[4];                                                            \
                                                                               \
		_Pragma("GCC unroll 4")                                                \
		for (size_t v = 0; v < 4; v++)                                         \
			x[v] = ISK_LOAD(F, in, i + v * VL, VL);                            \
		values;                                                                \
		vi_store_four_as(out, i, four, ISK_ENUM_##T);                                     \
	}
/* Calls with few elements take the shortest path. */
#define ISK_QUANTIZE_LOOP(F, T, value, values)                                 \
	size_t i = 0;                                                              \
                                                                               \
	if (__builtin_expect(n >= 4 * VL, 0)) {                                    \
		const struct multiplier p = multiplier(q);                             \
                                                                               \
		for (; n - i >= 4 * VL; i += 4 * VL)                                   \
			ISK_QUANTIZE_FOUR(F, T, values)                                    \
	}                                                                          \
	for (; n - i >= VL; i += VL)                                               \
		ISK_QUANTIZE_STEP(VL, F, T, value)                                     \
	if (i < n)                                                                 \
		ISK_QUANTIZE_STEP(n - i, F, T, value)
#define ISK_QUANTIZE(kernel, F, T, value, values)                              \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##F *in, size_t n, float scale, int32_t zero) \
	{                                                                          \
		const struct quantizer q = quantizer(scale, zero, ISK_ENUM_##T);       \
                                                                               \
		ISK_QUANTIZE_LOOP(F, T, value, values)                                 \
	}
#define QUANTIZE(op, value, values) ISK_EACH_##op(ISK_QUANTIZE, value, values)

#endif
