/* SPDX-License-Identifier: MIT */
/*
 * Loops over vectors of integers of any width. The last one may be shorter.
 *
 * INTEGERS_1(op, f)   y = f(T, x) for all types T of op; x is a vector of unsigned integers
 * INTEGERS_2(op, f)   y = f(T, a, b) likewise
 * SIGNED(T, v)        v as a vector of signed integers
 */
#ifndef ISK_INTEGERS_H
#define ISK_INTEGERS_H

#include "loops_streamed.h"

#define ISK_UNSIGNED_s8  uint8_t
#define ISK_UNSIGNED_u8  uint8_t
#define ISK_UNSIGNED_s16 uint16_t
#define ISK_UNSIGNED_s32 uint32_t
#define ISK_UNSIGNED_s64 uint64_t

/* Types of kernels that only move bits. */
#define ISK_UNSIGNED_b8  uint8_t
#define ISK_UNSIGNED_b16 uint16_t
#define ISK_UNSIGNED_b32 uint32_t
#define ISK_UNSIGNED_b64 uint64_t

typedef uint8_t vector_uint8_t __attribute__((vector_size(4 * VL)));
typedef uint16_t vector_uint16_t __attribute__((vector_size(4 * VL)));
typedef uint32_t vector_uint32_t __attribute__((vector_size(4 * VL)));
typedef uint64_t vector_uint64_t __attribute__((vector_size(4 * VL)));

typedef vi vector_s32;
typedef vl vector_s64;

#define UNSIGNED(T)  ISK_PASTE2(vector_, ISK_UNSIGNED_##T)
#define SIGNED(T, v) ((vector_##T)(v))

/* The number of bytes of a step. It is a constant except in the last step. */
#define ISK_BYTES ((size_t)4 * VL)

#define ISK_INTEGERS_LOOP(T, STEP, value)                                                                    \
	size_t bytes = n * sizeof(ISK_UNSIGNED_##T), i = 0;                                                      \
                                                                                                             \
	for (; bytes - i >= ISK_BYTES; i += ISK_BYTES)                                                           \
		STEP(T, ISK_BYTES, value)                                                                            \
	if (i < bytes)                                                                                           \
		STEP(T, bytes - i, value)

#define ISK_INTEGERS_AT(T, p, m) (UNSIGNED(T)) vi_load_bytes((const char *)(p) + i, m)

#define ISK_STEP_1(T, m, value)                                                                              \
	{                                                                                                        \
		const UNSIGNED(T) x = ISK_INTEGERS_AT(T, in, m);                                                     \
                                                                                                             \
		vi_store_bytes((char *)out + i, (vi)(value), m);                                                     \
	}
#define ISK_STEP_2(T, m, value)                                                                              \
	{                                                                                                        \
		const UNSIGNED(T) a = ISK_INTEGERS_AT(T, in_a, m), b = ISK_INTEGERS_AT(T, in_b, m);                  \
                                                                                                             \
		vi_store_bytes((char *)out + i, (vi)(value), m);                                                     \
	}

#define ISK_FAR_STEP_1(m, kernel, T, value)                                                                  \
	{                                                                                                        \
		const UNSIGNED(T) x = (UNSIGNED(T))vi_load_bytes(in + i, ISK_BYTES);                                 \
		const vi v = (vi)(value);                                                                            \
                                                                                                             \
		vi_stream(out + i, &v, sizeof(v));                                                                   \
	}
#define ISK_FAR_STEP_2(m, kernel, T, value)                                                                  \
	{                                                                                                        \
		const UNSIGNED(T) a = (UNSIGNED(T))vi_load_bytes(in_a + i, ISK_BYTES);                               \
		const UNSIGNED(T) b = (UNSIGNED(T))vi_load_bytes(in_b + i, ISK_BYTES);                               \
		const vi v = (vi)(value);                                                                            \
                                                                                                             \
		vi_stream(out + i, &v, sizeof(v));                                                                   \
	}
#define ISK_FAR_CALL_1(from, m, kernel, ...) ISK_FN(kernel)((void *)(out + (from)), (const void *)(in + (from)), m)
#define ISK_FAR_CALL_2(from, m, kernel, ...)                                                                 \
	ISK_FN(kernel)((void *)(out + (from)), (const void *)(in_a + (from)), (const void *)(in_b + (from)), m)

#define ISK_INTEGERS_1(kernel, T, value)                                                                     \
	ISK_FAR_FUNCTION far_##kernel(ISK_UNSIGNED_##T *out, const ISK_UNSIGNED_##T *in, size_t n)              \
	{                                                                                                        \
		ISK_FAR_LOOP(in == out, ISK_BYTES / sizeof(*out), ISK_FAR_CALL_1, ISK_FAR_STEP_1, kernel, T, value(T, x)) \
	}                                                                                                        \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##T *in, size_t n)                                      \
	{                                                                                                        \
		ISK_IF_FAR(kernel, sizeof(ISK_UNSIGNED_##T), (void *)out, (const void *)in, n)                       \
		ISK_INTEGERS_LOOP(T, ISK_STEP_1, value(T, x))                                                        \
	}
#define ISK_INTEGERS_2(kernel, T, value)                                                                     \
	ISK_FAR_FUNCTION far_##kernel(ISK_UNSIGNED_##T *out, const ISK_UNSIGNED_##T *in_a,                      \
	                              const ISK_UNSIGNED_##T *in_b, size_t n)                                    \
	{                                                                                                        \
		ISK_FAR_LOOP(in_a == out || in_b == out, ISK_BYTES / sizeof(*out), ISK_FAR_CALL_2, ISK_FAR_STEP_2,  \
		             kernel, T, value(T, a, b))                                                              \
	}                                                                                                        \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##T *in_a, const ISK_C_##T *in_b, size_t n)             \
	{                                                                                                        \
		ISK_IF_FAR(kernel, sizeof(ISK_UNSIGNED_##T), (void *)out, (const void *)in_a, (const void *)in_b, n) \
		ISK_INTEGERS_LOOP(T, ISK_STEP_2, value(T, a, b))                                                     \
	}

#define INTEGERS_1(op, value) ISK_EACH_##op(ISK_INTEGERS_1, value)
#define INTEGERS_2(op, value) ISK_EACH_##op(ISK_INTEGERS_2, value)

#endif
