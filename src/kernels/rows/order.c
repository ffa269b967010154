/* SPDX-License-Identifier: MIT */
/*
 * Rows in order: the first k of them, and all. What is kept are positions, as a heap whose root comes last; a vector
 * of x is looked at one by one only where something in it may come before the root. A NaN is greater than any
 * number, and what is equal is in the order of its positions, so that there is one result.
 */
#include "order_kernels.h"
#include "vec.h"

#define WORD(T, word)    ISK_PASTE2(ISK_VECTOR(T), _##word)
#define LOAD(T, p, i, n) WORD(T, load_as)(p, i, n, ISK_ENUM_##T)

#define LANE(T)          __typeof((ISK_VECTOR(T)){0}[0])

#define ANY_f            vm_any
#define ANY_d            vmd_any
#define ANY(T)           ISK_PASTE2(ANY_, ISK_LANE_##T)

/* Rows of so many are sorted by insertion. */
#define SHORT 16

#define HEAP_OF(kernel, T, ...)                                                \
	/* Whether element a of x comes before element b. */                       \
	ISK_INLINE int is_before_##T(const ISK_C_##T *x, int64_t a, int64_t b, int descending) \
	{                                                                          \
		const LANE(T) p = LOAD(T, x, (size_t)a, 1)[0], q = LOAD(T, x, (size_t)b, 1)[0]; \
		const int more = p > q || (p != p && q == q), less = q > p || (q != q && p == p); \
                                                                               \
		return more ? descending : less ? !descending : a < b;                 \
	}                                                                          \
                                                                               \
	/* The position at i goes down to where nothing below it comes after it. */ \
	__attribute__((noinline)) static void sink_##T(int64_t *heap, size_t i, size_t n, const ISK_C_##T *x, \
	                                               int descending)             \
	{                                                                          \
		const int64_t down = heap[i];                                          \
                                                                               \
		for (size_t child; (child = 2 * i + 1) < n; i = child) {               \
			child += child + 1 < n && is_before_##T(x, heap[child], heap[child + 1], descending); \
			if (is_before_##T(x, heap[child], down, descending))               \
				break;                                                         \
			heap[i] = heap[child];                                             \
		}                                                                      \
		heap[i] = down;                                                        \
	}                                                                          \
                                                                               \
	/* The first n positions, as a heap. */                                    \
	static void begin_##T(int64_t *heap, size_t n, const ISK_C_##T *x, int descending) \
	{                                                                          \
		for (size_t i = 0; i < n; i++)                                         \
			heap[i] = (int64_t)i;                                              \
		for (size_t i = n / 2; i-- > 0;)                                       \
			sink_##T(heap, i, n, x, descending);                               \
	}                                                                          \
                                                                               \
	/* From a heap to what is in order. */                                     \
	static void end_##T(int64_t *heap, size_t n, const ISK_C_##T *x, int descending) \
	{                                                                          \
		while (n-- > 1) {                                                      \
			const int64_t last = heap[0];                                      \
                                                                               \
			heap[0] = heap[n];                                                 \
			heap[n] = last;                                                    \
			sink_##T(heap, 0, n, x, descending);                               \
		}                                                                      \
	}

/* Wanted in every type there is here. */
ISK_EACH_topk(HEAP_OF, )

#define TOPK_OF(kernel, T, ...)                                                \
	static void row_##kernel(int64_t *heap, const ISK_C_##T *x, size_t n, size_t k) \
	{                                                                          \
		begin_##T(heap, k, x, 1);                                              \
		for (size_t i = k; i < n; i += ISK_COUNT(T)) {                         \
			const ISK_VECTOR(T) root = WORD(T, set1)(LOAD(T, x, (size_t)heap[0], 1)[0]); \
			const ISK_VECTOR(T) v = LOAD(T, x, i, n - i);                      \
                                                                               \
			if (!ANY(T)(WORD(T, lt)(root, v) | WORD(T, unordered)(v, v)))      \
				continue;                                                      \
			for (size_t j = i; j < n && j < i + ISK_COUNT(T); j++)             \
				if (is_before_##T(x, (int64_t)j, heap[0], 1)) {                \
					heap[0] = (int64_t)j;                                      \
					sink_##T(heap, 0, k, x, 1);                                \
				}                                                              \
		}                                                                      \
		end_##T(heap, k, x, 1);                                                \
	}                                                                          \
                                                                               \
	void ISK_FN(kernel)(ISK_C_##T *values, int64_t *indices, const ISK_C_##T *x, size_t rows, size_t cols, size_t k, \
	                    size_t ldv, size_t ldi, size_t ldx)                    \
	{                                                                          \
		const size_t most = k < cols ? k : cols;                               \
                                                                               \
		for (; rows && k; rows--, values += ldv, indices += ldi, x += ldx) {   \
			if (most)                                                          \
				row_##kernel(indices, x, cols, most);                          \
			for (size_t i = 0; i < most; i++)                                  \
				values[i] = x[indices[i]];                                     \
			for (size_t i = most; i < k; i++) {                                \
				indices[i] = -1;                                               \
				WORD(T, store_as)(values, i, WORD(T, set1)(-(LANE(T))__builtin_inff()), 1, ISK_ENUM_##T); \
			}                                                                  \
		}                                                                      \
	}

#define ARGSORT_OF(kernel, T, ...)                                             \
	static void row_##kernel(int64_t *indices, const ISK_C_##T *x, size_t n, int descending) \
	{                                                                          \
		if (n > SHORT) {                                                       \
			begin_##T(indices, n, x, descending);                              \
			end_##T(indices, n, x, descending);                                \
			return;                                                            \
		}                                                                      \
		for (size_t i = 0; i < n; i++) {                                       \
			size_t to = i;                                                     \
                                                                               \
			for (; to && is_before_##T(x, (int64_t)i, indices[to - 1], descending); to--) \
				indices[to] = indices[to - 1];                                 \
			indices[to] = (int64_t)i;                                          \
		}                                                                      \
	}                                                                          \
                                                                               \
	void ISK_FN(kernel)(int64_t *indices, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldi, size_t ldx, \
	                    int descending)                                        \
	{                                                                          \
		for (; rows && cols; rows--, indices += ldi, x += ldx)                 \
			row_##kernel(indices, x, cols, descending != 0);                   \
	}

ISK_EACH_topk(TOPK_OF, )
ISK_EACH_argsort(ARGSORT_OF, )
