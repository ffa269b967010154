/* SPDX-License-Identifier: MIT */
/*
 * The positions of the extremes of each column, and the number of its elements that are not 0. Row numbers and counts
 * are lanes of the type in which elements are computed, for ROWS rows at a time, because such a lane holds only small
 * integers exactly. The result of those rows is then merged into y.
 */
#include "index_cols_kernels.h"
#include "sum_tree.h"

#define ROWS 1024

#define WORD(T, word) ISK_PASTE2(ISK_VECTOR(T), _##word)

#define LESS(e, best)    v_lt(e, best)
#define GREATER(e, best) v_lt(best, e)

/* For 1 or 4 vectors of columns. A NaN beats every number; once a column has one, its best is NaN, which nothing beats. */
#define POSITIONS_OF(kernel, T, is_better, worst)                              \
	ISK_INLINE void some_##kernel(int64_t *y, const ISK_C_##T *x, size_t rows, size_t ldx, size_t now, \
	                              const size_t vectors)                        \
	{                                                                          \
		const ISK_VECTOR(T) nowhere = WORD(T, set1)(2 * ROWS);                 \
		ISK_VECTOR(T) best[4];                                                 \
                                                                               \
		for (size_t v = 0; v < vectors; v++)                                   \
			best[v] = WORD(T, set1)((TREE_OF(lane, T))(worst));                \
		for (size_t i = 0; i < now; i++)                                       \
			y[i] = 0;                                                          \
		for (size_t from = 0; from < rows; from += ROWS) {                     \
			ISK_VECTOR(T) at[4], nan[4], row = WORD(T, set1)(0);               \
                                                                               \
			for (size_t v = 0; v < vectors; v++)                               \
				at[v] = nan[v] = nowhere;                                      \
			for (size_t r = from; r < rows && r - from < ROWS; r++, x += ldx, row += 1) \
				_Pragma("GCC unroll 4")                                        \
				for (size_t v = 0; v < vectors; v++) {                         \
					const ISK_VECTOR(T) e = WORD(T, load_as)(x, v * ISK_COUNT(T), now - v * ISK_COUNT(T), ISK_ENUM_##T); \
					const __typeof(v_lt(e, e)) better = is_better(e, best[v]); \
                                                                               \
					best[v] = v_sel(better, e, best[v]);                       \
					at[v] = v_sel(better, row, at[v]);                         \
					nan[v] = v_min(v_sel(v_unordered(e, e), row, nowhere), nan[v]); \
				}                                                              \
			for (size_t i = 0; i < now; i++) {                                 \
				const size_t v = i / ISK_COUNT(T), lane = i % ISK_COUNT(T);    \
                                                                               \
				if (best[v][lane] != best[v][lane])                            \
					continue;                                                  \
				if (nan[v][lane] < ROWS) {                                     \
					y[i] = (int64_t)from + (int64_t)nan[v][lane];              \
					best[v][lane] = (__typeof(best[v][lane]))__builtin_nanf("");   \
				} else if (at[v][lane] < ROWS) {                               \
					y[i] = (int64_t)from + (int64_t)at[v][lane];               \
				}                                                              \
			}                                                                  \
		}                                                                      \
	}

#define COUNTS_OF(kernel, T, ...)                                              \
	ISK_INLINE void some_##kernel(int64_t *y, const ISK_C_##T *x, size_t rows, size_t ldx, size_t now, \
	                              const size_t vectors)                        \
	{                                                                          \
		for (size_t i = 0; i < now; i++)                                       \
			y[i] = 0;                                                          \
		for (size_t from = 0; from < rows; from += ROWS) {                     \
			const ISK_VECTOR(T) one = WORD(T, set1)(1);                        \
			ISK_VECTOR(T) count[4];                                            \
                                                                               \
			for (size_t v = 0; v < vectors; v++)                               \
				count[v] = WORD(T, set1)(0);                                   \
			for (size_t r = from; r < rows && r - from < ROWS; r++, x += ldx)  \
				_Pragma("GCC unroll 4")                                        \
				for (size_t v = 0; v < vectors; v++) {                         \
					const ISK_VECTOR(T) e = WORD(T, load_as)(x, v * ISK_COUNT(T), now - v * ISK_COUNT(T), ISK_ENUM_##T); \
                                                                               \
					count[v] += (ISK_VECTOR(T))((__typeof(e != e))one & (e != 0)); \
				}                                                              \
			for (size_t i = 0; i < now; i++)                                   \
				y[i] += (int64_t)count[i / ISK_COUNT(T)][i % ISK_COUNT(T)];    \
		}                                                                      \
	}

/* Takes four vectors of columns at a time, and the remaining ones singly. */
#define COLUMNS(kernel, T, ...)                                                \
	void ISK_FN(kernel)(int64_t *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		const size_t one = ISK_COUNT(T);                                       \
                                                                               \
		for (; cols >= 4 * one; cols -= 4 * one, x += 4 * one, y += 4 * one)   \
			some_##kernel(y, x, rows, ldx, 4 * one, 4);                        \
		for (; cols >= one; cols -= one, x += one, y += one)                   \
			some_##kernel(y, x, rows, ldx, one, 1);                            \
		if (cols)                                                              \
			some_##kernel(y, x, rows, ldx, cols, 1);                           \
	}

ISK_EACH_argmax_cols(POSITIONS_OF, GREATER, -__builtin_inf())
ISK_EACH_argmin_cols(POSITIONS_OF, LESS, __builtin_inf())
ISK_EACH_count_nonzero_cols(COUNTS_OF, )
ISK_EACH_argmax_cols(COLUMNS, )
ISK_EACH_argmin_cols(COLUMNS, )
ISK_EACH_count_nonzero_cols(COLUMNS, )
