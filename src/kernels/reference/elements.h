/* SPDX-License-Identifier: MIT */
/* Single elements of any type: their bits, their values, and numbers rounded to them. */
#ifndef ISK_ELEMENTS_H
#define ISK_ELEMENTS_H

#include <math.h>
#include <string.h>

#include "formats.h"

/* Reads in widths that the compiler knows, because a read of 8 bytes waits if 4 of them were just written. */
static inline uint64_t isk_element_bits(enum isk_type type, const void *x, size_t i)
{
	const size_t bytes = isk_element_bytes(type);
	const unsigned char *at = (const unsigned char *)x + i * bytes, *pair = (const unsigned char *)x + i / 2;
	uint64_t b64;
	uint32_t b32;
	uint16_t b16;

	switch (bytes) {
	case 8:
		memcpy(&b64, at, sizeof(b64));
		return b64;
	case 4:
		memcpy(&b32, at, sizeof(b32));
		return b32;
	case 2:
		memcpy(&b16, at, sizeof(b16));
		return b16;
	default:
		return (isk_shares_byte(type) ? *pair >> (i % 2 ? 4 : 0) : *at) & ((1u << isk_element_width(type)) - 1);
	}
}

/* Elements that share a byte must be set in order, because the first of two sets the second to 0. */
static inline void isk_element_set_bits(enum isk_type type, void *x, size_t i, uint64_t bits)
{
	const size_t bytes = isk_element_bytes(type);
	unsigned char *pair = (unsigned char *)x + i / 2;

	if (isk_shares_byte(type))
		*pair = (unsigned char)(i % 2 ? (*pair & 0xf) | bits << 4 : bits & 0xf);
	else
		memcpy((unsigned char *)x + i * bytes, &bits, bytes);
}

static inline uint64_t isk_double_bits(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static inline double isk_double_of(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* 2^k, for k from -1022 to 1023. Used in place of ldexp, which is slow, because tests compute many of these. */
static inline double isk_two_to(int k)
{
	return isk_double_of((uint64_t)(1023 + k) << 52);
}

/* The exponent of a normal number, 1024 for infinity. Used in place of ilogb, which is slow, too. */
static inline int isk_exponent_of_double(double x)
{
	return (int)(isk_double_bits(x) >> 52 & 0x7ff) - 1023;
}

/* The exponent of a positive number that may lie between two doubles. */
static inline int isk_exponent_of(long double x)
{
	const int e = isk_exponent_of_double((double)x);

	/* x may have been rounded up to a power of 2. */
	return e <= 1023 && (long double)isk_two_to(e) > x ? e - 1 : e;
}

/* The value of a float narrower than f32, computed from its format. */
static inline double isk_narrow_value(enum isk_type type, uint64_t bits)
{
	const struct isk_format f = isk_format_of(type);
	const uint64_t sign = isk_sign_bit(type), size = bits & (sign - 1), infinity = isk_infinity_bits(type);
	const int one = 1 << f.fraction, exponent = (int)(size >> f.fraction), fraction = (int)size & (one - 1);
	const double value = exponent ? (one + fraction) * isk_two_to(exponent - f.bias - f.fraction)
	                              : fraction * isk_two_to(1 - f.bias - f.fraction);

	if (size >= infinity)
		return copysign(size == infinity && f.has_infinity ? (double)INFINITY : (double)NAN, bits & sign ? -1 : 1);
	return bits & sign ? -value : value;
}

/* The value of an element, exact except for 64-bit integers beyond 2^53. */
static inline double isk_element_value(enum isk_type type, uint64_t bits)
{
	const uint32_t low = (uint32_t)bits, widened = low << 16;
	const int unused = 64 - isk_element_width(type);
	float f32;
	double f64;

	switch (type) {
	case ISK_F32:
		memcpy(&f32, &low, sizeof(f32));
		return (double)f32;
	case ISK_BF16:
		memcpy(&f32, &widened, sizeof(f32));
		return (double)f32;
	case ISK_F64:
		memcpy(&f64, &bits, sizeof(f64));
		return f64;
	default:
		if (isk_element_is_float(type))
			return isk_narrow_value(type, bits);
		return isk_format_of(type).kind == ISK_SIGNED ? (double)((int64_t)(bits << unused) >> unused) : (double)bits;
	}
}

/*
 * The bits of a value rounded to nearest, ties to even. C rounds to f32 and f64. For
 * narrower floats, the value is rounded to a multiple of the distance of its neighbours, and
 * a carry runs into the exponent if necessary. Integers saturate. A NaN becomes 0 if the type has none.
 */
static inline uint64_t isk_element_round(enum isk_type type, long double value)
{
	const struct isk_format f = isk_format_of(type);
	const uint64_t sign = signbit(value) ? isk_sign_bit(type) : 0;
	/* A number too large becomes infinity, else NaN, else the greatest number. */
	const uint64_t most = isk_infinity_bits(type) - !f.has_nan;
	const long double size = fabsl(value);
	const double near = (double)value;
	const float nearest = (float)near;
	int exponent, up;
	uint64_t bits;

	/* Most values are doubles, for which this takes a fifth of the time. */
	if (type == ISK_F32 && (long double)near == value)
		return isk_element_bits(type, &nearest, 0);
	/* A normal result is the upper bits of the double, rounded: a carry runs into the exponent. */
	if (isk_element_is_float(type) && type != ISK_F64 && (long double)near == value && fabs(near) >= isk_two_to(1 - f.bias)
	    && fabs(near) < isk_two_to(f.bias)) {
		const int shift = 52 - f.fraction;
		const uint64_t wide = isk_double_bits(fabs(near)), half = (uint64_t)1 << (shift - 1);

		return sign | (((wide + half - 1 + (wide >> shift & 1)) >> shift) - ((uint64_t)(1023 - f.bias) << f.fraction));
	}
	if (!isk_element_is_float(type)) {
		const long double least = (long double)isk_least_integer(type), greatest = (long double)isk_greatest_integer(type);

		value = isnan(value) ? 0 : value < least ? least : value > greatest ? greatest : rintl(value);
		return (uint64_t)(int64_t)value & (UINT64_MAX >> (64 - isk_element_width(type)));
	}
	if (isnan(value) && !f.has_nan)
		return 0;
	if (isnan(value))
		return sign | isk_infinity_bits(type) | (uint64_t)1 << (f.fraction - 1);
	if (isinf(value))
		return sign | most;
	if (type == ISK_F32 || type == ISK_F64) {
		const float f32 = (float)value;
		const double f64 = (double)value;

		return type == ISK_F32 ? isk_element_bits(type, &f32, 0) : isk_element_bits(type, &f64, 0);
	}
	exponent = size < (long double)isk_two_to(1 - f.bias) ? 1 - f.bias : isk_exponent_of(size);
	/* Without infinities, numbers have their exponent. */
	if (exponent > f.bias + !f.has_infinity)
		return sign | most;
	up = f.fraction - exponent;
	bits = (uint64_t)rintl(size * (long double)isk_two_to(up / 2) * (long double)isk_two_to(up - up / 2));
	/* The 1 above the fraction of a normal number adds 1 to the exponent. */
	bits += (uint64_t)(exponent + f.bias - 1) << f.fraction;
	return sign | (bits < most ? bits : most);
}

static inline void isk_element_set(enum isk_type type, void *x, size_t i, long double value)
{
	isk_element_set_bits(type, x, i, isk_element_round(type, value));
}

#endif
