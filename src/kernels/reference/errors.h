/* SPDX-License-Identifier: MIT */
/* The errors of results, and whether a contract allows them: for tests and libisakern-check. */
#ifndef ISK_ERRORS_H
#define ISK_ERRORS_H

#include "elements.h"

static inline int element_is_nan(enum isk_type type, uint64_t bits)
{
	return isk_element_is_float(type) && isnan(isk_element_value(type, bits));
}

/* Whether two results have equal bits; any NaN equals any other. */
static inline int element_same(enum isk_type type, uint64_t a, uint64_t b)
{
	return a == b || (element_is_nan(type, a) && element_is_nan(type, b));
}

/* The least positive number of the type. */
static inline double element_least(enum isk_type type)
{
	const struct isk_format f = isk_format_of(type);

	return isk_element_is_float(type) ? ldexp(1, 1 - f.bias - f.fraction) : 1;
}

/* eps: half the distance from 1 to the next number of the type of lanes. */
static inline double element_eps(enum isk_type type)
{
	return type == ISK_F64 ? 0x1p-53 : 0x1p-24;
}

/* The size from which terms of results may overflow on the way. Those of integers are f32. */
static inline long double element_overflow(enum isk_type type)
{
	return ldexpl(1, isk_format_of(isk_element_is_float(type) ? type : ISK_F32).bias - 1);
}

/* A faster ldexpl(), since tests call it for all inputs of a kernel. */
static inline long double element_scaled(long double x, int n)
{
	const uint64_t bits = (uint64_t)(n + 1023) << 52;
	double power;

	if (n < -1022 || n > 1023)
		return ldexpl(x, n);
	memcpy(&power, &bits, sizeof(power));
	return x * (long double)power;
}

/*
 * The error of a result in ulp of the exact result. It is infinite if only one of the two is
 * a NaN, or if the result has the wrong sign. An infinite result stands for all numbers from
 * the first power of two that the type cannot hold.
 */
static inline long double element_ulps(enum isk_type type, uint64_t bits, long double exact)
{
	const struct isk_format f = isk_format_of(type);
	const double got = isk_element_value(type, bits);
	const long double size = fabsl(exact), beyond = element_scaled(1, f.bias + 1);
	const double near = (double)exact;
	int e;

	/* Most exact results are doubles, for which this takes a tenth of the time. */
	if (type == ISK_F32 && (long double)near == exact && fabs(near) >= 0x1p-126 && fabs(near) < 0x1p127
	    && !signbit(got) == !signbit(near) && isfinite(got))
		return (long double)(fabs(got - near) * isk_two_to(23 - isk_exponent_of_double(near)));
	if (isnan(got) || isnan(exact))
		return isnan(got) && isnan(exact) ? 0 : HUGE_VALL;
	if (!signbit(got) != !signbit(exact))
		return HUGE_VALL;
	if (isinf(got) && size >= beyond)
		return 0;
	if (isinf(exact))
		return HUGE_VALL;
	e = size < element_scaled(1, 1 - f.bias) ? 1 - f.bias : isk_exponent_of(size);
	e = e > f.bias ? f.bias : e;
	return element_scaled(fabsl((isinf(got) ? copysignl(beyond, (long double)got) : (long double)got) - exact),
	              f.fraction - e);
}

/* The next number above the one with bits `size`; above the largest, the first power of two that the type cannot hold. */
static inline long double element_next(enum isk_type type, uint64_t size)
{
	return size + 1 == isk_infinity_bits(type) ? ldexpl(1, isk_format_of(type).bias + 1)
	                                           : (long double)isk_element_value(type, size + 1);
}

/*
 * The distance of a value from the numbers that round to these bits. It measures results
 * that are computed within a bound and then rounded to a narrower type.
 */
static inline long double element_distance(enum isk_type type, uint64_t bits, long double value)
{
	const uint64_t sign = isk_sign_bit(type), size = bits & (sign - 1);
	const long double got = (long double)isk_element_value(type, bits);
	const long double x = signbit(got) ? -value : value;
	long double low = fabsl(got), high = low;

	if (isnan(got) || isnan(value))
		return isnan(got) && isnan(value) ? 0 : HUGE_VALL;
	if (got == value)
		return 0;
	/* All numbers between the midpoints to the neighbours round to a 16-bit element. */
	if (isk_element_bytes(type) == 2) {
		low = (size ? (long double)isk_element_value(type, size - 1) : -element_next(type, 0))
		      + (isinf(got) ? element_next(type, size - 1) : low);
		low /= 2;
		high = isinf(got) ? HUGE_VALL : (high + element_next(type, size)) / 2;
	}
	return x < low ? low - x : x > high ? x - high : 0;
}

/* The exact result that an oracle gives for an element. */
struct exact {
	enum { NOT_GIVEN, VALUE, BITS } given;
	uint64_t bits;
	long double value, scale; /* scale: ISK_ULP, or the factor of eps and the bound */
	size_t underflows;
};

/* Whether only one result is right: given bits or, if the bound in ulp is "exact" (only), the rounded value. */
static inline int exact_is_bits(const struct exact *exact, int only)
{
	return exact->given == BITS || (exact->scale < 0 && only);
}

/* The bits of that only result. */
static inline uint64_t exact_bits(enum isk_type type, const struct exact *exact)
{
	return exact->given == BITS ? exact->bits : isk_element_round(type, exact->value);
}

/*
 * The error of a result in the unit of its bound; if the bound is "exact" (only), it is 0 or infinite. An absolute
 * error that underflow may cause counts as 0.
 */
static inline double exact_error(enum isk_type type, uint64_t bits, const struct exact *exact, int only)
{
	long double error, slack;

	if (exact->given == BITS)
		return bits == exact->bits ? 0 : HUGE_VAL;
	if (exact_is_bits(exact, only))
		return element_same(type, bits, exact_bits(type, exact)) ? 0 : HUGE_VAL;
	if (exact->scale < 0)
		return isk_element_is_float(type) ? (double)element_ulps(type, bits, exact->value)
		                                  : fabs((double)((long double)isk_element_value(type, bits) - exact->value));
	error = element_distance(type, bits, exact->value);
	/* 0 may have either sign. */
	if (only)
		return error > 0 ? HUGE_VAL : 0;
	/* If terms may overflow on the way, the only promise is that a NaN stays a NaN. */
	if (!isnan(exact->value) && exact->scale > element_overflow(type))
		return 0;
	slack = (long double)exact->underflows * (long double)element_least(type);
	return error > slack ? (double)((error - slack) / ((long double)element_eps(type) * exact->scale)) : 0;
}

#endif
