/* SPDX-License-Identifier: MIT */
/*
 * The least and the largest element, and their positions. A position is found by a search through the first block of
 * elements that has the extreme.
 */
#include "minmax_kernels.h"
#include "of_type.h"
#include "blocks.h"
#include "find.h"

PART_OF(any_min, P_LEAST)
PART_OF(any_max, P_MOST)

lane KERNEL(min)(const elem *x, size_t n)
{
	return any_min(x, NULL, n, 1);
}

lane KERNEL(max)(const elem *x, size_t n)
{
	struct maxima most;

	if (sizeof(elem) < sizeof(lane))
		return any_max(x, NULL, n, 1);
	most = reduce_max(x, 0, n);
	return most.nan ? (lane)__builtin_nan("") : ISK_WORD(fold_max)(most.lanes.v);
}

lane KERNEL(min_strided)(const elem *x, size_t n, size_t incx)
{
	return any_min(x, NULL, n, incx);
}

lane KERNEL(max_strided)(const elem *x, size_t n, size_t incx)
{
	return any_max(x, NULL, n, incx);
}

/* Elements of a block of a search, and of one in an array of f32: a block is short, because the search reads it twice. */
enum { SEARCHED = 2048, SEARCHED_AT_ONCE = 1024 };

/* Whether a is better than b. A NaN is better than everything. */
ISK_INLINE int is_better(lane a, lane b, const int is_max)
{
	return (is_max ? a > b : a < b) || a != a;
}

ISK_INLINE size_t position(const elem *x, size_t n, size_t step, const int is_max)
{
	lane best = 0;
	size_t at = 0, left;

	for (size_t i = 0; i < n; i += SEARCHED) {
		const size_t now = n - i < SEARCHED ? n - i : SEARCHED;
		const lane value = is_max ? any_max(x + i * step, NULL, now, step) : any_min(x + i * step, NULL, now, step);

		if (i == 0 || is_better(value, best, is_max)) {
			best = value;
			at = i;
		}
		if (best != best)
			break;
	}
	if (n == 0)
		return 0;
	left = n - at < SEARCHED ? n - at : SEARCHED;
	return at + (step == 1 ? find(x + at, left, best) : find_strided(x + at * step, left, step, best));
}

/* The position of the largest element of f32. The lanes of a block are folded only if one of them is larger than before. */
ISK_INLINE size_t position_of_max_f32(const elem *x, size_t n)
{
	lane best = -INFINITE;
	size_t at = 0;

	for (size_t i = 0; i < n; i += SEARCHED_AT_ONCE) {
		const size_t now = n - i < SEARCHED_AT_ONCE ? n - i : SEARCHED_AT_ONCE;
		const struct maxima most = reduce_max(x, i, now);
		truths more = ISK_MASK(first)(0);

		if (most.nan)
			return i + find(x + i, now, (lane)__builtin_nanf(""));
		for (int v = 0; v < VECTORS; v++)
			more |= less(splat(best), most.lanes.v[v]);
		if (any(more)) {
			best = ISK_WORD(fold_max)(most.lanes.v);
			at = i;
		}
	}
	return n ? at + find(x + at, n - at < SEARCHED_AT_ONCE ? n - at : SEARCHED_AT_ONCE, best) : 0;
}

size_t KERNEL(argmin)(const elem *x, size_t n)
{
	return position(x, n, 1, 0);
}

size_t KERNEL(argmax)(const elem *x, size_t n)
{
	return TYPE == ISK_F32 ? position_of_max_f32(x, n) : position(x, n, 1, 1);
}

size_t KERNEL(argmin_strided)(const elem *x, size_t n, size_t incx)
{
	return position(x, n, incx, 0);
}

size_t KERNEL(argmax_strided)(const elem *x, size_t n, size_t incx)
{
	return position(x, n, incx, 1);
}

/* Takes both extremes of a block at a time, while the block is in the cache. */
void KERNEL(minmax)(elem *low, elem *high, const elem *x, size_t rows, size_t cols, size_t ldx)
{
	for (size_t r = 0; r < rows; r++, x += ldx) {
		lane least = any_min(x, NULL, 0, 1), most = any_max(x, NULL, 0, 1);

		for (size_t i = 0; i < cols; i += SEARCHED) {
			const size_t now = cols - i < SEARCHED ? cols - i : SEARCHED;
			const lane l = any_min(x + i, NULL, now, 1), m = any_max(x + i, NULL, now, 1);

			least = is_better(l, least, 0) ? l : least;
			most = is_better(m, most, 1) ? m : most;
		}
		store_one(low, r, least);
		store_one(high, r, most);
	}
}
