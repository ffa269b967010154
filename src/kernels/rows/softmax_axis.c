/* SPDX-License-Identifier: MIT */
/*
 * Softmax along the middle one of three axes: each lane is a column by itself, whose terms are added in order, n - 1
 * roundings; the others are those of softmax.c. What is as wide in memory as in a lane keeps its exponentials in
 * y until they are scaled.
 */
#include "softmax_axis_kernels.h"
#include "exp_lanes.h"

#define WORD(T, word) ISK_PASTE2(ISK_VECTOR(T), _##word)
#define IS_KEPT(T)    (sizeof(ISK_C_##T) == sizeof((ISK_VECTOR(T)){0}[0]))

/* Columns from i on, as many as a vector has, or less. */
#define COLUMNS_OF(kernel, T)                                                  \
	ISK_INLINE void columns_##kernel(ISK_C_##T *y, const ISK_C_##T *x, size_t n, size_t inner, size_t i, size_t count) \
	{                                                                          \
		ISK_VECTOR(T) max = WORD(T, load_as)(x, i, count, ISK_ENUM_##T), sum = WORD(T, set1)(0); \
                                                                               \
		for (size_t k = 1; k < n; k++)                                         \
			max = WORD(T, max)(max, WORD(T, load_as)(x, k * inner + i, count, ISK_ENUM_##T)); \
		for (size_t k = 0; k < n; k++) {                                       \
			const ISK_VECTOR(T) e =                                            \
				WORD(T, power)(WORD(T, load_as)(x, k * inner + i, count, ISK_ENUM_##T) - max); \
                                                                               \
			sum += e;                                                          \
			if (IS_KEPT(T))                                                    \
				WORD(T, store_as)(y, k * inner + i, e, count, ISK_ENUM_##T);   \
		}                                                                      \
		sum = 1 / sum;                                                         \
		for (size_t k = 0; k < n; k++) {                                       \
			const ISK_VECTOR(T) e =                                            \
				IS_KEPT(T) ? WORD(T, load_as)(y, k * inner + i, count, ISK_ENUM_##T) \
						   : WORD(T, power)(WORD(T, load_as)(x, k * inner + i, count, ISK_ENUM_##T) - max); \
                                                                               \
			WORD(T, store_as)(y, k * inner + i, e * sum, count, ISK_ENUM_##T); \
		}                                                                      \
	}

#define SOFTMAX_AXIS_OF(kernel, T, ...)                                        \
	COLUMNS_OF(kernel, T)                                                      \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t outer, size_t n, size_t inner) \
	{                                                                          \
		for (; outer && n && inner; outer--, y += n * inner, x += n * inner)   \
			for (size_t i = 0; i < inner; i += ISK_COUNT(T))                   \
				columns_##kernel(y, x, n, inner, i, inner - i);                \
	}

ISK_EACH_softmax_axis(SOFTMAX_AXIS_OF, )
