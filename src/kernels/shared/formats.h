/* SPDX-License-Identifier: MIT */
/*
 * The formats of element types, which are the columns of types.tbl. All functions are inlined, because kernels ask with
 * constants. A number that is no type has a format of zeros.
 */
#ifndef ISK_FORMATS_H
#define ISK_FORMATS_H

#include <stddef.h>

#include "element_types.h"

enum isk_element_kind { ISK_NO_ELEMENT, ISK_FLOAT, ISK_SIGNED, ISK_UNSIGNED, ISK_BITS, ISK_COMPLEX };

struct isk_format {
	enum isk_element_kind kind;
	int bits, memory;          /* bits of an element, and bits that it takes in memory */
	int fraction, bias;        /* of a float: bits of the fraction, bias of the exponent */
	int has_infinity, has_nan; /* whether a float has infinities, and NaNs */
};

#define ISK_OF_FORMAT static inline __attribute__((always_inline))

ISK_OF_FORMAT struct isk_format isk_format_of(const enum isk_type type)
{
	switch (type) {
#define ISK_FORMAT_OF(name, kind, bits, memory, fraction, bias, infinity, nan, numpy) \
	case ISK_ENUM_##name:                                                      \
		return (struct isk_format){ISK_##kind, bits, memory, fraction, bias, infinity, nan};
		ISK_ELEMENT_TYPES(ISK_FORMAT_OF)
#undef ISK_FORMAT_OF
	}
	return (struct isk_format){ISK_NO_ELEMENT, 0, 0, 0, 0, 0, 0};
}

ISK_OF_FORMAT int isk_element_is_float(const enum isk_type type)
{
	return isk_format_of(type).kind == ISK_FLOAT;
}

/* The bits of an element. */
ISK_OF_FORMAT int isk_element_width(const enum isk_type type)
{
	return isk_format_of(type).bits;
}

/* Whether two elements share a byte, the first of them its lower half. */
ISK_OF_FORMAT int isk_shares_byte(const enum isk_type type)
{
	return isk_format_of(type).memory == 4;
}

/*
 * The bytes from which an element is read: a whole one, if two elements share it. A switch of its own, because drivers ask
 * with types that they do not know, and a table of bytes is what such a question needs.
 */
ISK_OF_FORMAT size_t isk_element_bytes(const enum isk_type type)
{
	switch (type) {
#define ISK_BYTES_OF(name, kind, bits, memory, ...) \
	case ISK_ENUM_##name:                           \
		return (memory + 4) / 8;
		ISK_ELEMENT_TYPES(ISK_BYTES_OF)
#undef ISK_BYTES_OF
	}
	return 0;
}

/* The bytes of n adjacent elements. */
ISK_OF_FORMAT size_t isk_bytes_of(const enum isk_type type, size_t n)
{
	return isk_shares_byte(type) ? n / 2 + n % 2 : n * isk_element_bytes(type);
}

/* The numbers in an element: the real and the imaginary part of a complex one, else itself. And their type. */
ISK_OF_FORMAT size_t isk_parts(const enum isk_type type)
{
	return isk_format_of(type).kind == ISK_COMPLEX ? 2 : 1;
}

ISK_OF_FORMAT enum isk_type isk_part_type(const enum isk_type type)
{
	return isk_parts(type) == 1 ? type : isk_element_width(type) == 64 ? ISK_F32 : ISK_F64;
}

ISK_OF_FORMAT uint64_t isk_sign_bit(const enum isk_type type)
{
	return (uint64_t)1 << (isk_element_width(type) - 1);
}

/*
 * The bits that follow those of the greatest number: of infinity or, if the type has none, of a NaN. Without NaNs as well,
 * they are the sign bit.
 */
ISK_OF_FORMAT uint64_t isk_infinity_bits(const enum isk_type type)
{
	const struct isk_format f = isk_format_of(type);

	return f.has_infinity ? (uint64_t)(2 * f.bias + 1) << f.fraction : isk_sign_bit(type) - (uint64_t)f.has_nan;
}

/* The least and the greatest number of an integer type. Bits count as signed integers. */
ISK_OF_FORMAT int64_t isk_least_integer(const enum isk_type type)
{
	return isk_format_of(type).kind == ISK_UNSIGNED ? 0 : (int64_t)(UINT64_MAX << (isk_element_width(type) - 1));
}

ISK_OF_FORMAT int64_t isk_greatest_integer(const enum isk_type type)
{
	const int magnitude = isk_element_width(type) - (isk_format_of(type).kind != ISK_UNSIGNED);

	return (int64_t)(UINT64_MAX >> (64 - magnitude));
}

#endif
