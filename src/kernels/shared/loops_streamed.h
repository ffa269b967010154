/* SPDX-License-Identifier: MIT */
/*
 * loops.h for kernels whose speed is that of memory: from ISK_FAR bytes of output on, they write past the caches.
 * An ordinary store first reads its cache line from memory; a streaming store does not, so that a map of f32 moves
 * 8 bytes for an element instead of 12, a zip 12 instead of 16.
 *
 * Streamed output is in no cache afterwards. ISK_FAR is 32 MiB, which is all the third-level cache that a core has
 * on most machines, so that a reader of a larger output would find little of it in a cache anyway.
 *
 * Speed relative to loops.h (Zen 4, 24M elements): maps and copies 1.4, zips and select 1.3, exp 1.3 at avx512; with
 * 16-bit elements 1.1 to 1.4. Kernels that compute for longer gain nothing (sigmoid, gelu, log, tanh: 1.0), nor do
 * those that read little or nothing (fill 0.9 to 1.0, dequantize 1.1 at most; from_mask was not tried), so that these
 * use loops.h.
 */
#ifndef ISK_LOOPS_STREAMED_H
#define ISK_LOOPS_STREAMED_H

#include "ahead.h"
#include "loops.h"

/* Vectors of a round of the loops over elements in the caches. */
#ifndef ISK_AT_ONCE
#define ISK_AT_ONCE 4
#endif

#define ISK_FAR  ((size_t)1 << 25)
#define ISK_LINE ((size_t)64)

/*
 * Whether a loop is to stream its output, n elements of `bytes` bytes. If the output is not aligned to its elements, no
 * cache line holds whole ones.
 */
ISK_INLINE int is_streamed(const void *out, size_t n, const size_t bytes)
{
	return __builtin_expect(n >= ISK_FAR / bytes, 0) && (uintptr_t)out % bytes == 0;
}

/*
 * Stands before the loop of a kernel whose output has elements of `bytes` bytes. The call is a tail call, so that for
 * few elements the kernel gains one test and nothing else.
 */
#define ISK_IF_FAR(kernel, bytes, ...)                                         \
	if (__builtin_expect(n >= ISK_FAR / (bytes), 0)) {                         \
		far_##kernel(__VA_ARGS__);                                             \
		return;                                                                \
	}

/* The number of elements of out before its first whole cache line, if an element has `bytes` bytes. */
ISK_INLINE size_t isk_before_line(const void *out, size_t bytes)
{
	return (-(uintptr_t)out & (ISK_LINE - 1)) / bytes;
}

/*
 * The body of far_KERNEL(out, ..., n). CALL(from, m, ...) calls the kernel for m elements from `from` on; STEP(m, ...)
 * computes and streams m elements. The kernel computes the elements before the first whole cache line and after the
 * last vector.
 *
 * If the output is an input, its lines are in a cache already, and streaming them takes longer. If the output is not
 * aligned to its elements, no cache line holds whole ones. In both cases the kernel computes all, in two halves, which
 * come here again and are halved while they are far.
 */
#define ISK_FAR_LOOP(is_input, count, CALL, STEP, ...)                         \
	const int streams = !(is_input) && (uintptr_t)out % sizeof(*out) == 0;     \
	size_t i = streams ? isk_before_line(out, sizeof(*out)) : n / 2;           \
                                                                               \
	CALL(0, i, __VA_ARGS__);                                                   \
	if (streams)                                                               \
		for (; n - i >= (count); i += (count))                                 \
			STEP(count, __VA_ARGS__)                                           \
	vi_streamed();                                                             \
	CALL(i, n - i, __VA_ARGS__);

#define ISK_FAR_FUNCTION static __attribute__((noinline, cold)) void

#define ISK_STREAM(T, p, i, v) ISK_PASTE2(ISK_VECTOR(T), _stream_as)(p, i, v, ISK_ENUM_##T)

/* Expressions for inputs and values, for the lists of maps.h. */
#define ISK_INPUT(x, from)      in_##x + (from)
#define ISK_MOVED(x, by)        in_##x += (by)
#define ISK_IS_INPUT(x, ...)    is_input |= in_##x == out
#define ISK_PASSED(type, x)     x
#define ISK_ONE(...)            1
#define ISK_IS_SPLIT(x, ...)    is_split |= isk_is_split(in_##x)
#define ISK_PREFETCHED(x, ...)  isk_prefetch_ahead(in_##x + i, ISK_LINE)

/* Whether a kernel has more than one input. */
#define ISK_IS_ZIP(shape) (sizeof((char[]){ISK_INPUTS_##shape(ISK_ONE, )}) > 1)

/* Whether a kernel waits for memory. With one input, rounding to bf16 takes as long as memory does. */
#define ISK_WAITS(T, shape) (ISK_ENUM_##T != ISK_BF16 || ISK_IS_ZIP(shape))

#define ISK_FAR_MAP_CALL(from, m, kernel, T, shape, value)                     \
	ISK_FN(kernel)(out + (from), ISK_INPUTS_##shape(ISK_INPUT, from), m ISK_VALUES_##shape(ISK_PASSED, ))
#define ISK_FAR_MAP_STEP(m, kernel, T, shape, value)                           \
	{                                                                          \
		const ISK_VECTOR(T) ISK_INPUTS_##shape(ISK_LOADED, T, m);              \
                                                                               \
		ISK_STREAM(T, out, i, value);                                          \
	}
#define ISK_FAR_MAP(kernel, T, shape, value)                                   \
	ISK_FAR_FUNCTION far_##kernel(ISK_C_##T *out, ISK_INPUTS_##shape(ISK_POINTER, T), \
	                              size_t n ISK_VALUES_##shape(ISK_VALUE, T))   \
	{                                                                          \
		int is_input = 0;                                                      \
                                                                               \
		ISK_INPUTS_##shape(ISK_IS_INPUT, );                                    \
		ISK_FAR_LOOP(is_input, ISK_COUNT(T), ISK_FAR_MAP_CALL, ISK_FAR_MAP_STEP, kernel, T, shape, value) \
	}

/* ISK_IF_AHEAD stands in the kernel; the function that it calls for many elements prefetches their inputs (ahead.h). */
#define ISK_IF_AHEAD(kernel, T, shape)                                         \
	if (ISK_IS_ZIP(shape) && isk_is_large_zip(n, sizeof(*out))) {              \
		int is_split = 0;                                                      \
                                                                               \
		ISK_INPUTS_##shape(ISK_IS_SPLIT, );                                    \
		if (is_split) {                                                        \
			ahead_##kernel(out, ISK_INPUTS_##shape(ISK_INPUT, 0), n ISK_VALUES_##shape(ISK_PASSED, )); \
			return;                                                            \
		}                                                                      \
	}
#define ISK_AHEAD_MAP(kernel, T, shape, value)                                 \
	ISK_AHEAD_FUNCTION ahead_##kernel(ISK_C_##T *out, ISK_INPUTS_##shape(ISK_POINTER, T), \
	                                  size_t n ISK_VALUES_##shape(ISK_VALUE, T))   \
	{                                                                          \
		const size_t last_ahead = isk_last_ahead(n, ISK_COUNT(T), sizeof(*out), 1); \
		size_t i = 0;                                                          \
		for (; n - i > last_ahead; i += ISK_COUNT(T)) {                        \
			ISK_INPUTS_##shape(ISK_PREFETCHED, );                              \
			ISK_MAP_STEP(ISK_COUNT(T), T, shape, value)                        \
		}                                                                      \
		ISK_FAR_MAP_CALL(i, n - i, kernel, T, shape, value);                   \
	}

/*
 * Rounds of ISK_AT_ONCE vectors, because a loop of one vector takes longer than its loads and stores. They move the pointers
 * and n to the remaining elements, so that fewer than ISK_MANY vectors, which gain nothing by rounds, are a loop from 0 on. Times
 * as fast as without rounds, 4096 elements, Zen 5: relu_f32, add_f32, mul_f32, copy_b32 1.2 to 1.4; at AVX2 1.1 to 1.8.
 */
#define ISK_MANY 32
#define ISK_ROUNDS(T, shape, value)                                            \
	size_t i = 0;                                                              \
                                                                               \
	while (ISK_AT_ONCE > 1 && n - i >= ISK_AT_ONCE * ISK_COUNT(T))             \
		_Pragma("GCC unroll 4") for (int v = 0; v < ISK_AT_ONCE; v++, i += ISK_COUNT(T)) \
			ISK_MAP_STEP(ISK_COUNT(T), T, shape, value)                        \
	out += i;                                                                  \
	ISK_INPUTS_##shape(ISK_MOVED, i);                                          \
	n -= i;

#define ISK_FAR_OR_ROUNDS(kernel, T, shape, value)                             \
	if (ISK_WAITS(T, shape))                                                   \
		ISK_IF_FAR(kernel, sizeof(*out), out, ISK_INPUTS_##shape(ISK_INPUT, 0), n ISK_VALUES_##shape(ISK_PASSED, )) \
	ISK_IF_AHEAD(kernel, T, shape)                                             \
	ISK_ROUNDS(T, shape, value)

#define ISK_STREAMED_MAP(kernel, T, shape, value)                              \
	ISK_FAR_MAP(kernel, T, shape, value)                                       \
	ISK_AHEAD_MAP(kernel, T, shape, value)                                     \
	void ISK_FN(kernel)(ISK_C_##T *out, ISK_INPUTS_##shape(ISK_POINTER, T),    \
	                    size_t n ISK_VALUES_##shape(ISK_VALUE, T))             \
	{                                                                          \
		if (__builtin_expect(n >= ISK_MANY * ISK_COUNT(T), 0)) {               \
			ISK_FAR_OR_ROUNDS(kernel, T, shape, value)                         \
		}                                                                      \
		ISK_LOOP(T, ISK_MAP_STEP, shape, value)                                \
	}
#undef ISK_MAP
#define ISK_MAP(shape, op, value) ISK_EACH_##op(ISK_STREAMED_MAP, shape, value)

#endif
