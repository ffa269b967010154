/* SPDX-License-Identifier: MIT */
/*
 * The least and the largest element, and their positions, by the functions of block.h.
 * A position is found by a search through the first block of 2048 elements that has the
 * extreme.
 */
#include "min_kernels.h"
#include "blocks.h"
#include "find.h"

#define EXTREMES(kernel, T, ...)                                               \
	PART_OF(any_min_##T, T, P_LEAST)                                           \
	PART_OF(any_max_##T, T, P_MOST)
ISK_EACH_min(EXTREMES, )

ISK_EACH_min(OF_ARRAY, any_min)
ISK_EACH_max(OF_ARRAY, any_max)
ISK_EACH_min_strided(OF_STRIDED, any_min)
ISK_EACH_max_strided(OF_STRIDED, any_max)

#define BLOCK 2048

/* Whether a is better than b. A NaN is better than everything. */
#define BETTER_any_min(a, b) ((a) < (b) || (a) != (a))
#define BETTER_any_max(a, b) ((a) > (b) || (a) != (a))

#define SEARCH(kernel, T, part)                                                \
	ISK_INLINE size_t position_##part##_##T(const ISK_C_##T *x, size_t n, size_t step) \
	{                                                                          \
		LANE_OF(T) best = 0;                                                   \
		size_t at = 0, left;                                                   \
                                                                               \
		for (size_t i = 0; i < n; i += BLOCK) {                                \
			const LANE_OF(T) value = part##_##T(x + i * step, NULL, n - i < BLOCK ? n - i : BLOCK, step); \
                                                                               \
			if (i == 0 || BETTER_##part(value, best)) {                        \
				best = value;                                                  \
				at = i;                                                        \
			}                                                                  \
			if (best != best)                                                  \
				break;                                                         \
		}                                                                      \
		if (n == 0)                                                            \
			return 0;                                                          \
		left = n - at < BLOCK ? n - at : BLOCK;                                \
		return at + (step == 1 ? TREE_OF(find, T)(x + at, left, best, ISK_ENUM_##T) \
		                       : TREE_OF(find_strided, T)((const char *)(x + at * step), left, step, best, ISK_ENUM_##T)); \
	}
ISK_EACH_argmin_strided(SEARCH, any_min)
ISK_EACH_argmax_strided(SEARCH, any_max)

#define POSITION(kernel, T, part)                                              \
	size_t ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                        \
	{                                                                          \
		return position_##part##_##T(x, n, 1);                                 \
	}
ISK_EACH_argmin(POSITION, any_min)
ISK_EACH_argmax(POSITION, any_max)

#define POSITION_STRIDED(kernel, T, part)                                      \
	size_t ISK_FN(kernel)(const ISK_C_##T *x, size_t n, size_t incx)           \
	{                                                                          \
		return position_##part##_##T(x, n, incx);                              \
	}
ISK_EACH_argmin_strided(POSITION_STRIDED, any_min)
ISK_EACH_argmax_strided(POSITION_STRIDED, any_max)

/* Takes both extremes of a block at a time, while the block is in the cache. */
#define MINMAX(kernel, T, ...)                                                 \
	void ISK_FN(kernel)(ISK_C_##T *low, ISK_C_##T *high, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		for (size_t r = 0; r < rows; r++, x += ldx) {                          \
			LANE_OF(T) least = any_min_##T(x, NULL, 0, 1), most = any_max_##T(x, NULL, 0, 1); \
                                                                               \
			for (size_t i = 0; i < cols; i += BLOCK) {                         \
				const size_t now = cols - i < BLOCK ? cols - i : BLOCK;        \
				const LANE_OF(T) l = any_min_##T(x + i, NULL, now, 1), m = any_max_##T(x + i, NULL, now, 1); \
                                                                               \
				least = BETTER_any_min(l, least) ? l : least;                  \
				most = BETTER_any_max(m, most) ? m : most;                     \
			}                                                                  \
			PUT_OF(T, low, r, least);                                          \
			PUT_OF(T, high, r, most);                                          \
		}                                                                      \
	}
ISK_EACH_minmax(MINMAX, )
