/* SPDX-License-Identifier: MIT */
/*
 * Conversions in float lanes, and kernels made from functions that convert. Such a function is inlined into each kernel and
 * gets the types as constants, so that one case of each test of a type remains.
 *
 * CVT(op, function)            defines a kernel for each pair of types that kernels.tbl lists for the operation: a call of
 *                              function(out, in, n, from, to)
 * CVT_STREAMED(op, function)   likewise, but an output of ISK_FAR bytes or more is written past the caches
 */
#ifndef ISK_CONVERSION_H
#define ISK_CONVERSION_H

#include "loops_streamed.h"

ISK_INLINE vf quiet(vf v)
{
	return vi_float(vi_sel(vf_isnan(v), vf_bits(v) | 0x400000, vf_bits(v)));
}

/* Elements i to i + n - 1 as floats. NaNs are made quiet by all loads and stores except those of bf16 to f32. */
ISK_INLINE vf load_floats(const void *in, size_t i, size_t n, const enum isk_type from, const enum isk_type to)
{
	const vf x = vf_load_as(in, i, n, from);

	return from == ISK_BF16 && to == ISK_F32 ? quiet(x) : x;
}

/* Converts elements i to n - 1, each by a load and a store. */
ISK_INLINE void convert_from(void *out, const void *in, size_t i, size_t n, const enum isk_type from, const enum isk_type to)
{
	for (; n - i >= VL; i += VL)
		vf_store_as(out, i, load_floats(in, i, VL, from, to), VL, to);
	if (i < n)
		vf_store_as(out, i, load_floats(in, i, n - i, from, to), n - i, to);
}

ISK_INLINE void convert(void *out, const void *in, size_t n, const enum isk_type from, const enum isk_type to)
{
	convert_from(out, in, 0, n, from, to);
}

/* The elements from first to end - 1. */
struct stretch {
	size_t first, end;
};

/*
 * Streams whole vectors of the output, from its first whole cache line on, and returns their elements. An output that is
 * not aligned to its elements has no cache line of whole elements; then the stretch is empty and divides the output evenly.
 */
ISK_INLINE struct stretch stream(void *out, const void *in, size_t n, const enum isk_type from, const enum isk_type to)
{
	const size_t bytes = isk_element_bytes(to), before = isk_before_line(out, bytes);
	size_t i = before;

	if ((uintptr_t)out % bytes)
		return (struct stretch){n / 2, n / 2};
	for (; n - i >= VL; i += VL)
		vf_stream_as(out, i, load_floats(in, i, VL, from, to), to);
	vi_streamed();
	return (struct stretch){before, i};
}

#define CONVERSION(kernel, F, T, function)                                     \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##F *in, size_t n)         \
	{                                                                          \
		function(out, in, n, ISK_ENUM_##F, ISK_ENUM_##T);                      \
	}
#define CVT(op, function) ISK_EACH_##op(CONVERSION, function)

/* The kernel converts the elements beside those that are streamed. Halves of an output may be far, too. */
#define FAR_CONVERSION(kernel, F, T)                                           \
	ISK_FAR_FUNCTION far_##kernel(ISK_C_##T *out, const ISK_C_##F *in, size_t n) \
	{                                                                          \
		const struct stretch streamed = stream(out, in, n, ISK_ENUM_##F, ISK_ENUM_##T); \
                                                                               \
		ISK_FN(kernel)(out, in, streamed.first);                               \
		ISK_FN(kernel)(out + streamed.end, in + streamed.end, n - streamed.end); \
	}
#define STREAMED_CONVERSION(kernel, F, T, function)                            \
	FAR_CONVERSION(kernel, F, T)                                               \
	void ISK_FN(kernel)(ISK_C_##T *out, const ISK_C_##F *in, size_t n)         \
	{                                                                          \
		ISK_IF_FAR(kernel, sizeof(*out), out, in, n)                           \
		function(out, in, n, ISK_ENUM_##F, ISK_ENUM_##T);                      \
	}
#define CVT_STREAMED(op, function) ISK_EACH_##op(STREAMED_CONVERSION, function)

#endif
