/* SPDX-License-Identifier: MIT */
/* Sums and extremes of integers, whose results do not depend on the order. Sums are modulo 2^64. */
#include "reduce_int_kernels.h"
#include "kernel.h"

/* A vector of 32-bit integers, or of 64-bit ones; the lanes past the first n are 0. */
ISK_INLINE vi load_s32(const int32_t *x, size_t n)
{
	return vi_load_bytes(x, 4 * n);
}

ISK_INLINE vl load_s64(const int64_t *x, size_t n)
{
	return (vl)vi_load_bytes(x, 8 * n);
}

#define VECTOR_s32 vi
#define VECTOR_s64 vl
#define LEAST_s32  INT32_MAX
#define LEAST_s64  INT64_MAX
#define MOST_s32   INT32_MIN
#define MOST_s64   INT64_MIN

/* Four accumulators, because with one, each addition would wait for the last, and the loop for its counter. */
enum { CHAINS = 4 };
#define EACH_CHAIN                                                             \
	_Pragma("GCC unroll 4")                                                    \
	for (size_t c = 0; c < CHAINS; c++)

/* Lanes that are not loaded are 0 and add nothing. */
#define SUM(kernel, T, ...)                                                    \
	ISK_C_##T ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                     \
	{                                                                          \
		const size_t lanes = sizeof(vi) / sizeof(*x);                          \
		vul sum[CHAINS] = {{0}};                                               \
		uint64_t all = 0;                                                      \
		size_t i = 0;                                                          \
                                                                               \
		for (; n - i >= CHAINS * lanes; i += CHAINS * lanes)                   \
			EACH_CHAIN                                                         \
				sum[c] += (vul)load_##T(x + i + c * lanes, lanes);             \
		for (; i < n; i += lanes)                                              \
			sum[0] += (vul)load_##T(x + i, n - i);                             \
		sum[0] += sum[1] + sum[2] + sum[3];                                    \
		for (int d = 0; d < VD; d++)                                           \
			all += sum[0][d];                                                  \
		return (ISK_C_##T)all;                                                 \
	}
ISK_EACH_sum(SUM, )

#define XOR(kernel, T, ...)                                                    \
	ISK_C_##T ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                     \
	{                                                                          \
		const size_t lanes = sizeof(vi) / sizeof(*x);                          \
		VECTOR_##T sum[CHAINS] = {{0}};                                        \
		ISK_C_##T all = 0;                                                     \
		size_t i = 0;                                                          \
                                                                               \
		for (; n - i >= CHAINS * lanes; i += CHAINS * lanes)                   \
			EACH_CHAIN                                                         \
				sum[c] ^= load_##T(x + i + c * lanes, lanes);                  \
		for (; i < n; i += lanes)                                              \
			sum[0] ^= load_##T(x + i, n - i);                                  \
		sum[0] ^= sum[1] ^ sum[2] ^ sum[3];                                    \
		for (size_t l = 0; l < lanes; l++)                                     \
			all ^= sum[0][l];                                                  \
		return all;                                                            \
	}
ISK_EACH_xor_sum(XOR, )

#define XOR_STRIDED(kernel, T, ...)                                            \
	ISK_C_##T ISK_FN(kernel)(const ISK_C_##T *x, size_t n, size_t incx)        \
	{                                                                          \
		ISK_C_##T all = 0;                                                     \
                                                                               \
		for (size_t i = 0; i < n; i++)                                         \
			all ^= x[i * incx];                                                \
		return all;                                                            \
	}
ISK_EACH_xor_sum_strided(XOR_STRIDED, )

#define XOR_ROWS(kernel, T, ...)                                               \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		for (size_t r = 0; r < rows; r++)                                      \
			y[r] = ISK_FN(xor_sum_##T)(x + r * ldx, cols);                     \
	}
ISK_EACH_xor_sum_rows(XOR_ROWS, )

/* Takes four vectors of columns at a time, so that whole cache lines are read. */
#define XOR_COLS(kernel, T, ...)                                               \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		const size_t lanes = sizeof(vi) / sizeof(*x);                          \
                                                                               \
		for (size_t i = 0; i < cols; i += 4 * lanes) {                         \
			VECTOR_##T sum[4] = {{0}};                                         \
                                                                               \
			for (size_t r = 0; r < rows; r++)                                  \
				for (size_t v = 0; v < 4 && i + v * lanes < cols; v++)         \
					sum[v] ^= load_##T(x + r * ldx + i + v * lanes, cols - i - v * lanes); \
			for (size_t v = 0; v < 4 && i + v * lanes < cols; v++)             \
				vi_store_bytes(y + i + v * lanes, (vi)sum[v], (cols - i - v * lanes) * sizeof(*x)); \
		}                                                                      \
	}
ISK_EACH_xor_sum_cols(XOR_COLS, )

#define KEEP(most, x, better) ((most) = (((x)better(most)) & (x)) | (~((x)better(most)) & (most)))

/* If there are at least `lanes` elements, the last vector ends with the last one and may overlap the vector before. */
#define EXTREME(kernel, T, extreme, better)                                    \
	ISK_C_##T ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                     \
	{                                                                          \
		const size_t lanes = sizeof(vi) / sizeof(*x);                          \
		ISK_C_##T all = extreme##_##T;                                         \
                                                                               \
		if (n >= lanes) {                                                      \
			VECTOR_##T most[CHAINS], v;                                        \
			size_t i = 0;                                                      \
                                                                               \
			EACH_CHAIN                                                         \
				most[c] = load_##T(x, lanes);                                  \
			for (; n - i >= CHAINS * lanes; i += CHAINS * lanes)               \
				EACH_CHAIN {                                                   \
					v = load_##T(x + i + c * lanes, lanes);                    \
					KEEP(most[c], v, better);                                  \
				}                                                              \
			for (; i < n; i += lanes) {                                        \
				v = load_##T(x + (n - i < lanes ? n - lanes : i), lanes);      \
				KEEP(most[0], v, better);                                      \
			}                                                                  \
			for (size_t c = 1; c < CHAINS; c++)                                \
				KEEP(most[0], most[c], better);                                \
			for (size_t l = 0; l < lanes; l++)                                 \
				all = most[0][l] better all ? most[0][l] : all;                \
			return all;                                                        \
		}                                                                      \
		for (size_t i = 0; i < n; i++)                                         \
			all = x[i] better all ? x[i] : all;                                \
		return all;                                                            \
	}
ISK_EACH_min(EXTREME, LEAST, <)
ISK_EACH_max(EXTREME, MOST, >)
