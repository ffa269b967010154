/* SPDX-License-Identifier: MIT */
/*
 * The loops of the elementwise shapes. Each macro takes an operation and its expression on
 * vectors, and defines a kernel for every type that kernels.tbl lists for the operation.
 * Whole vectors are loaded and stored without a mask, because masks are slow with AVX2; only
 * the last elements have one.
 *
 * MAP(op, f(x))            likewise ZIP(op, f(a, b)) and each shape that is a map. The expression uses the names that
 *                          the row of the shape in shapes.tbl gives inputs and values (maps.h)
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

#endif
