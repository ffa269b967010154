/* SPDX-License-Identifier: MIT */
/*
 * The elements of each row in order: the first k of them, or all. Positions are kept as a heap whose root comes last in
 * that order. The elements of a vector are compared one by one only if one of them may come before the root. A NaN is
 * greater than any number, and equal elements keep the order of their positions, so that there is one result.
 */
#include "order_kernels.h"
#include "of_type.h"

/* Rows of at most SHORT elements are sorted by insertion. */
enum { SHORT = 16 };

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

/* Makes a heap of the first n positions. */
static void make_heap(int64_t *heap, size_t n, const elem *x, int descending)
{
	for (size_t i = 0; i < n; i++)
		heap[i] = (int64_t)i;
	for (size_t i = n / 2; i-- > 0;)
		sink(heap, i, n, x, descending);
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

static void sort_row(int64_t *indices, const elem *x, size_t n, int descending)
{
	if (n > SHORT) {
		make_heap(indices, n, x, descending);
		sort_heap(indices, n, x, descending);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		size_t to = i;

		for (; to && is_before(x, (int64_t)i, indices[to - 1], descending); to--)
			indices[to] = indices[to - 1];
		indices[to] = (int64_t)i;
	}
}

void KERNEL(argsort)(int64_t *indices, const elem *x, size_t rows, size_t cols, size_t ldi, size_t ldx, int descending)
{
	for (; rows && cols; rows--, indices += ldi, x += ldx)
		sort_row(indices, x, cols, descending != 0);
}
