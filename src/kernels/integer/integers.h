/* SPDX-License-Identifier: MIT */
/*
 * Maps and zips of integers of any width.
 *
 * INTEGERS_1(op, f(x))      y = f(x) for all types of op; x is a vector of unsigned integers, and `type` its type
 * INTEGERS_2(op, f(a, b))   likewise
 */
#ifndef ISK_INTEGERS_H
#define ISK_INTEGERS_H

#include "loops_streamed.h"

typedef uint8_t vb __attribute__((vector_size(4 * VL)));
typedef uint16_t vh __attribute__((vector_size(4 * VL)));

/* The vector of unsigned integers that are as wide as a type. */
#define ISK_UNSIGNED_s8  vb
#define ISK_UNSIGNED_u8  vb
#define ISK_UNSIGNED_s16 vh
#define ISK_UNSIGNED_s32 vu
#define ISK_UNSIGNED_s64 vul
#define ISK_UNSIGNED_b8  vb
#define ISK_UNSIGNED_b16 vh
#define ISK_UNSIGNED_b32 vu
#define ISK_UNSIGNED_b64 vul

/* Returns the results for vectors of elements. If the function has one argument, b is arbitrary. */
typedef vi integers_fn(vi a, vi b, const enum isk_type type);

/* The inputs of a kernel, its function and its type; b is not read if has_b is 0. */
struct integers {
	const char *a, *b;
	int has_b;
	integers_fn *f;
	enum isk_type type;
};

/* Returns the results for `bytes` bytes from i on, at most a vector. */
ISK_INLINE vi integers_at(const struct integers *k, size_t i, size_t bytes)
{
	const vi a = vi_load_bytes(k->a + i, bytes);

	return k->f(a, k->has_b ? vi_load_bytes(k->b + i, bytes) : a, k->type);
}

/* Stores results from i on, ISK_AT_ONCE vectors at a time. Returns where they end. */
ISK_INLINE size_t integers_in_rounds(char *y, const struct integers *k, size_t i, size_t bytes)
{
	for (; bytes - i >= ISK_AT_ONCE * sizeof(vi); i += ISK_AT_ONCE * sizeof(vi))
#pragma GCC unroll 4
		for (size_t v = 0; v < ISK_AT_ONCE; v++)
			vi_store_bytes(y + i + v * sizeof(vi), integers_at(k, i + v * sizeof(vi), sizeof(vi)), sizeof(vi));
	return i;
}

/*
 * An output of ISK_FAR bytes and more is streamed, unless it is an input, whose lines are in a cache already. Vectors up to
 * its first whole cache line are stored as usual; the first streamed vector may overlap them.
 */
ISK_INLINE void integers(void *out, const struct integers k, size_t n)
{
	const size_t element = isk_element_bytes(k.type), bytes = n * element;
	char *y = out;
	size_t i = 0;

	if (__builtin_expect(bytes >= ISK_MANY * sizeof(vi), 0)) {
		if (is_streamed(y, n, element) && y != k.a && (!k.has_b || y != k.b)) {
			for (; i < ISK_LINE; i += sizeof(vi))
				vi_store_bytes(y + i, integers_at(&k, i, sizeof(vi)), sizeof(vi));
			for (i = isk_before_line(y, element) * element; bytes - i >= sizeof(vi); i += sizeof(vi)) {
				const vi v = integers_at(&k, i, sizeof(vi));

				vi_stream(y + i, &v, sizeof(v));
			}
			vi_streamed();
		}
		i = integers_in_rounds(y, &k, i, bytes);
	}
	for (; bytes - i >= sizeof(vi); i += sizeof(vi))
		vi_store_bytes(y + i, integers_at(&k, i, sizeof(vi)), sizeof(vi));
	if (i < bytes)
		vi_store_bytes(y + i, integers_at(&k, i, bytes - i), bytes - i);
}

#define ISK_INTEGERS_1(kernel, T, value)                                                                     \
	ISK_INLINE vi vector_of_##kernel(vi in, vi none, const enum isk_type type)                               \
	{                                                                                                        \
		const ISK_UNSIGNED_##T x = (ISK_UNSIGNED_##T)in;                                                     \
                                                                                                             \
		(void)none, (void)type;                                                                              \
		return (vi)(value);                                                                                  \
	}                                                                                                        \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t n)                                          \
	{                                                                                                        \
		integers(y, (struct integers){(const void *)x, NULL, 0, vector_of_##kernel, ISK_ENUM_##T}, n);       \
	}
#define ISK_INTEGERS_2(kernel, T, value)                                                                     \
	ISK_INLINE vi vector_of_##kernel(vi in_a, vi in_b, const enum isk_type type)                             \
	{                                                                                                        \
		const ISK_UNSIGNED_##T a = (ISK_UNSIGNED_##T)in_a, b = (ISK_UNSIGNED_##T)in_b;                       \
                                                                                                             \
		(void)type;                                                                                          \
		return (vi)(value);                                                                                  \
	}                                                                                                        \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *a, const ISK_C_##T *b, size_t n)                      \
	{                                                                                                        \
		integers(y, (struct integers){(const void *)a, (const void *)b, 1, vector_of_##kernel, ISK_ENUM_##T}, n); \
	}

#define INTEGERS_1(op, value) ISK_EACH_##op(ISK_INTEGERS_1, value)
#define INTEGERS_2(op, value) ISK_EACH_##op(ISK_INTEGERS_2, value)

#endif
