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

/* The greater or the lesser of each two lanes. */
ISK_INLINE vec extreme(vec a, vec b, const int is_max)
{
	return is_max ? maximum(a, b) : minimum(a, b);
}

/*
 * The extremes of whole lines and a last line of n elements, in the tree of reduce_max(). Its lines without elements would
 * change nothing.
 */
ISK_INLINE struct maxima of_lines(const lane *x, const int lines, size_t n, const int is_max)
{
	const int vectors = lines * VECTORS;
	truths nan = ISK_MASK(first)(0);
	struct maxima out;
	vec acc[4 * VECTORS];

#pragma GCC unroll 16
	for (int v = 0; v < vectors; v++) {
		const size_t i = (size_t)(v * COUNT), before = (size_t)(v % VECTORS * COUNT);
		const size_t left = v < vectors - VECTORS ? COUNT : n > before ? n - before : 0;
		const vec nothing = splat(is_max ? -INFINITE : INFINITE);

		/* The last line is masked even if it is whole, because that costs less than a branch. */
		acc[v] = v < vectors - VECTORS || (lines > 1 && VL < 16)
		             ? first_lanes(load_lanes(x, i, left), left, nothing[0])
		             : choose(ISK_MASK(first)(left), ISK_WORD(load_n)(x + i, left), nothing);
	}
#pragma GCC unroll 8
	for (int v = 0; v < vectors; v += 2)
		nan |= unordered(acc[v], acc[v + 1 < vectors ? v + 1 : v]);
#pragma GCC unroll 3
	for (int half = 2 * VECTORS; half >= VECTORS; half /= 2)
#pragma GCC unroll 8
		for (int v = 0; v < half; v++)
			if (v + half < vectors)
				acc[v] = extreme(acc[v], acc[v + half], is_max);
#pragma GCC unroll 4
	for (int v = 0; v < VECTORS; v++)
		out.lanes.v[v] = acc[v];
	out.nan = any(nan);
	return out;
}

ISK_INLINE lane folded(struct maxima most, const int is_max)
{
	return __builtin_expect(most.nan, 0) ? (lane)__builtin_nan("") : part_fold(&most.lanes, is_max ? P_MOST : P_LEAST);
}

/* The extremes of n <= FEW elements that have the type of the lanes, with code for each number of lines. */
enum { FEW = 4 * LINE };

ISK_INLINE lane of_few(const void *x, size_t n, const int is_max)
{
	/* The first case to stand in the code: with AVX2 that costs 4 lines a tenth of their time, without it AVX-512 1 line. */
	if (__builtin_expect(n <= LINE, VL == 16))
		return folded(of_lines(x, 1, n, is_max), is_max);
	if (n > 3 * LINE)
		return folded(of_lines(x, 4, n - 3 * LINE, is_max), is_max);
	if (n <= 2 * LINE)
		return folded(of_lines(x, 2, n - LINE, is_max), is_max);
	return folded(of_lines(x, 3, n - 2 * LINE, is_max), is_max);
}

/* Whether elements take the shorter path of of_few(): they have the type of the lanes, and the ISA has masked loads. */
ISK_INLINE int are_few(size_t n)
{
	return sizeof(elem) == sizeof(lane) && VL > 4 && n <= FEW;
}

ISK_APART static lane min_of_many(const elem *x, size_t n)
{
	return any_min(x, NULL, n, 1);
}

ISK_FROM_LINE lane KERNEL(min)(const elem *x, size_t n)
{
	if (!are_few(n))
		return min_of_many(x, n);
	return of_few(x, n, 0);
}

ISK_APART static lane max_of_many(const elem *x, size_t n)
{
	return sizeof(elem) < sizeof(lane) ? any_max(x, NULL, n, 1) : folded(reduce_max(x, 0, n, 0), 1);
}

ISK_FROM_LINE lane KERNEL(max)(const elem *x, size_t n)
{
	if (!are_few(n))
		return max_of_many(x, n);
	return of_few(x, n, 1);
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

ISK_INLINE size_t position_in_few(const elem *x, size_t n, const int is_max)
{
	return n ? find(x, n, is_max ? KERNEL(max)(x, n) : KERNEL(min)(x, n)) : 0;
}

/* The position of the largest element of f32. The lanes of a block are folded only if one of them is larger than before. */
ISK_INLINE size_t position_of_max_f32(const elem *x, size_t n)
{
	lane best = -INFINITE;
	size_t at = 0;

	for (size_t i = 0; i < n; i += SEARCHED_AT_ONCE) {
		const size_t now = n - i < SEARCHED_AT_ONCE ? n - i : SEARCHED_AT_ONCE;
		const struct maxima most = reduce_max(x, i, now, n - i - now);
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
	return are_few(n) ? position_in_few(x, n, 0) : position(x, n, 1, 0);
}

size_t KERNEL(argmax)(const elem *x, size_t n)
{
	if (are_few(n))
		return position_in_few(x, n, 1);
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
