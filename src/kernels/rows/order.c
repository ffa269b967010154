/* SPDX-License-Identifier: MIT */
/*
 * The elements of each row in order: the first k of them, or all. A NaN is greater than any number, and equal elements
 * keep the order of their positions, so that there is one result.
 *
 * The positions of the first k are kept as a heap whose root comes last in that order. The elements of a vector are compared
 * one by one only if one of them may come before the root.
 *
 * All positions are sorted with the upper 32 bits of their elements beside them, as integers (words.h), because comparisons
 * by position read from all over the row. For f64, elements with the same upper bits are compared afterwards.
 */
#include "order_kernels.h"
#include "of_type.h"
#include "words.h"

#include <string.h>

/* Whether element a of x comes before element b. */
ISK_INLINE int is_before(const elem *x, int64_t a, int64_t b, int descending)
{
	const lane p = load_one(x, (size_t)a), q = load_one(x, (size_t)b);
	const int is_more = p > q || (p != p && q == q), is_less = q > p || (q != q && p == p);

	return is_more ? descending : is_less ? !descending : a < b;
}

/* Moves the position at i down until no position below it comes after it. */
__attribute__((noinline)) static void sink(int64_t *heap, size_t i, size_t n, const elem *x, int descending)
{
	const int64_t down = heap[i];

	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		child += child + 1 < n && is_before(x, heap[child], heap[child + 1], descending);
		if (is_before(x, heap[child], down, descending))
			break;
		heap[i] = heap[child];
	}
	heap[i] = down;
}

static void make_heap(int64_t *heap, size_t n, const elem *x, int descending)
{
	for (size_t i = n / 2; i-- > 0;)
		sink(heap, i, n, x, descending);
}

static void all_positions(int64_t *positions, size_t n)
{
	for (size_t i = 0; i < n; i++)
		positions[i] = (int64_t)i;
}

/* Puts the positions of a heap in order. */
static void sort_heap(int64_t *heap, size_t n, const elem *x, int descending)
{
	while (n-- > 1) {
		const int64_t last = heap[0];

		heap[0] = heap[n];
		heap[n] = last;
		sink(heap, 0, n, x, descending);
	}
}

/* The positions of the k greatest elements of a row, in order. */
static void topk_of_row(int64_t *heap, const elem *x, size_t n, size_t k)
{
	all_positions(heap, k);
	make_heap(heap, k, x, 1);
	for (size_t i = k; i < n; i += COUNT) {
		const vec v = load(x, i, n - i);

		if (!any(less(splat(load_one(x, (size_t)heap[0])), v) | unordered(v, v)))
			continue;
		for (size_t j = i; j < n && j < i + COUNT; j++)
			if (is_before(x, (int64_t)j, heap[0], 1)) {
				heap[0] = (int64_t)j;
				sink(heap, 0, k, x, 1);
			}
	}
	sort_heap(heap, k, x, 1);
}

void KERNEL(topk)(elem *values, int64_t *indices, const elem *x, size_t rows, size_t cols, size_t k, size_t ldv, size_t ldi,
                  size_t ldx)
{
	const size_t most = k < cols ? k : cols;

	for (; rows && k; rows--, values += ldv, indices += ldi, x += ldx) {
		if (most)
			topk_of_row(indices, x, cols, most);
		for (size_t i = 0; i < most; i++)
			values[i] = x[indices[i]];
		for (size_t i = most; i < k; i++) {
			indices[i] = -1;
			store_one(values, i, -INFINITE);
		}
	}
}

static void sort_positions(int64_t *positions, size_t n, const elem *x, int descending)
{
	make_heap(positions, n, x, descending);
	sort_heap(positions, n, x, descending);
}

/*
 * The upper 32 bits of an element as an integer in the order of the elements. 0 and -0 are alike, and so are NaNs, whose
 * integer no number has.
 */
ISK_INLINE uint32_t upper_of(lane p)
{
	const lane sum = p + 0;
	uint32_t upper;

	memcpy(&upper, (const char *)&sum + (sizeof(sum) - sizeof(upper)), sizeof(upper));
	return p != p ? UINT32_MAX : upper ^ (upper >> 31 ? UINT32_MAX : 0x80000000);
}

/* Sorts the positions of elements that agree in their upper bits; they come in order of positions, as equal elements do. */
static void sort_alike(int64_t *positions, size_t n, const elem *x, int descending)
{
	size_t i = 1;

	while (i < n && !is_before(x, positions[i], positions[i - 1], descending))
		i++;
	if (i < n)
		sort_positions(positions, n, x, descending);
}

/* For n up to 2^32. */
static void sort_by_words(int64_t *indices, const elem *x, size_t n, int descending)
{
	uint64_t *const words = (uint64_t *)indices;
	const uint32_t turned = descending ? UINT32_MAX : 0;

	for (size_t i = 0; i < n; i++)
		words[i] = (uint64_t)(upper_of(load_one(x, i)) ^ turned) << 32 | i;
	sort_words(words, n);
	for (size_t i = 0, alike; i < n; i += alike) {
		const uint64_t upper = words[i] >> 32;

		for (alike = 0; i + alike < n && words[i + alike] >> 32 == upper; alike++)
			words[i + alike] &= UINT32_MAX;
		if (sizeof(lane) > sizeof(uint32_t) && alike > 1)
			sort_alike(indices + i, alike, x, descending);
	}
}

void KERNEL(argsort)(int64_t *indices, const elem *x, size_t rows, size_t cols, size_t ldi, size_t ldx, int descending)
{
	for (; rows && cols; rows--, indices += ldi, x += ldx) {
		if (cols - 1 <= UINT32_MAX) {
			sort_by_words(indices, x, cols, descending != 0);
		} else {
			all_positions(indices, cols);
			sort_positions(indices, cols, x, descending != 0);
		}
	}
}
