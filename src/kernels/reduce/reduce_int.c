/* SPDX-License-Identifier: MIT */
/* Sums, extremes and positions of extremes of integers, whose results do not depend on the order. Sums are modulo 2^64. */
#include "reduce_int_kernels.h"
#include "ahead.h"

/* Four accumulators, because with one, each addition would wait for the last, and the loop for its counter. */
enum { CHAINS = 4 };

/* Vectors of a block of a search for a position, which reads its block once more. */
enum { SEARCHED = 64 };

typedef int8_t lanes_s8 __attribute__((vector_size(sizeof(vi))));
typedef uint8_t lanes_u8 __attribute__((vector_size(sizeof(vi))));
typedef int16_t lanes_s16 __attribute__((vector_size(sizeof(vi))));

#define T     s32
#define LANES vi
#include "integer_lanes.h"
#define T     s64
#define LANES vl
#include "integer_lanes.h"
#define T     s8
#define LANES lanes_s8
#include "integer_lanes.h"
#define T     u8
#define LANES lanes_u8
#include "integer_lanes.h"
#define T     s16
#define LANES lanes_s16
#include "integer_lanes.h"

ISK_INLINE void sum_round(vul sum[CHAINS], const int64_t *x)
{
#pragma GCC unroll 4
	for (size_t c = 0; c < CHAINS; c++)
		sum[c] += (vul)load_s64(x + c * VD, VD);
}

/* Lanes that are not loaded are 0 and add nothing. */
ISK_INLINE int64_t sum(const int64_t *x, size_t n)
{
	const size_t last_ahead = isk_last_ahead(n, CHAINS * VD, sizeof(*x), isk_is_split(x));
	vul sum[CHAINS] = {{0}};
	uint64_t all = 0;
	size_t i = 0;

	for (; n - i > last_ahead; i += CHAINS * VD) {
		isk_prefetch_ahead(x + i, sizeof(sum));
		sum_round(sum, x + i);
	}
	for (; n - i >= CHAINS * VD; i += CHAINS * VD)
		sum_round(sum, x + i);
	for (; i < n; i += VD)
		sum[0] += (vul)load_s64(x + i, n - i);
	sum[0] += sum[1] + sum[2] + sum[3];
	for (int d = 0; d < VD; d++)
		all += sum[0][d];
	return (int64_t)all;
}

#define SUM(kernel, T, ...)                                                    \
	ISK_C_##T ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                     \
	{                                                                          \
		return sum(x, n);                                                      \
	}
ISK_EACH_sum(SUM, )

#define XOR(kernel, T, ...)                                                    \
	ISK_C_##T ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                     \
	{                                                                          \
		return xor_of_array_##T(x, n);                                         \
	}
ISK_EACH_xor_sum(XOR, )

#define XOR_STRIDED(kernel, T, ...)                                            \
	ISK_C_##T ISK_FN(kernel)(const ISK_C_##T *x, size_t n, size_t incx)        \
	{                                                                          \
		return xor_of_strided_##T(x, n, incx);                                 \
	}
ISK_EACH_xor_sum_strided(XOR_STRIDED, )

#define XOR_ROWS(kernel, T, ...)                                               \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		for (size_t r = 0; r < rows; r++)                                      \
			y[r] = ISK_FN(xor_sum_##T)(x + r * ldx, cols);                     \
	}
ISK_EACH_xor_sum_rows(XOR_ROWS, )

#define XOR_COLS(kernel, T, ...)                                               \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		xor_of_columns_##T(y, x, rows, cols, ldx);                             \
	}
ISK_EACH_xor_sum_cols(XOR_COLS, )

#define LEAST_s32 INT32_MIN
#define LEAST_s64 INT64_MIN

/* If n is 0, min is the greatest number and max the least one. */
#define MIN(kernel, T, ...)                                                    \
	ISK_C_##T ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                     \
	{                                                                          \
		return ~greatest_##T(x, n, LEAST_##T, -1); \
	}
ISK_EACH_min(MIN, )

#define MAX(kernel, T, ...)                                                    \
	ISK_C_##T ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                     \
	{                                                                          \
		return greatest_##T(x, n, LEAST_##T, 0);                                \
	}
ISK_EACH_max(MAX, )

#define ARGMIN(kernel, T, ...)                                                 \
	size_t ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                        \
	{                                                                          \
		return position_##T(x, n, (ISK_C_##T)-1); \
	}
ISK_EACH_argmin(ARGMIN, )

#define ARGMAX(kernel, T, ...)                                                 \
	size_t ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                        \
	{                                                                          \
		return position_##T(x, n, 0);                                          \
	}
ISK_EACH_argmax(ARGMAX, )
