/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic of f16 in double, with results rounded once, by integers. A sum or product of two f16 is exact in double. A
 * quotient or square root is rounded to the 53 bits of double first, which are more than the 2 * 11 + 2 from which a second
 * rounding, to the 11 bits of f16, is right.
 *
 * As on the CPU, denormals are not replaced by 0, NaNs become quiet, and the first operand that is NaN is the result.
 */
#include "fp16_numbers.h"

#include <math.h>
#include <string.h>

#define SIGN       0x8000
#define INFINITE   0x7c00
#define QUIET      0x200
#define NO_NUMBER  0xfe00 /* the NaN of an invalid operation */

static int is_nan(uint16_t x)
{
	return (x & 0x7fff) > INFINITE;
}

/* 2^e, a normal double. */
static double power_of_2(int e)
{
	const uint64_t bits = (uint64_t)(e + 1023) << 52;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* The value of an f16 that is not NaN. */
static double value_of(uint16_t x)
{
	const int exponent = x >> 10 & 31, fraction = x & 0x3ff;
	const double size = exponent == 31 ? (double)INFINITY
	                    : exponent     ? (1024 + fraction) * power_of_2(exponent - 25)
	                                   : fraction * power_of_2(-24);

	return x & SIGN ? -size : size;
}

/*
 * Rounds to nearest, ties to even. Below 2^-14 the last bit is 2^-24. With n units of the last bit, 1024 to 2048 of them
 * above that limit, the bits are n plus 1024 for each doubling of the unit: the leading bit of n is added to the exponent,
 * as is the carry of an n that was rounded up to 2048.
 */
static uint16_t rounded(double x)
{
	const uint16_t sign = signbit(x) ? SIGN : 0;
	const double size = fabs(x);
	uint64_t bits;
	int exponent;

	if (isnan(x))
		return NO_NUMBER;
	if (size >= 65536)
		return sign | INFINITE;
	memcpy(&bits, &size, sizeof(bits));
	exponent = (int)(bits >> 52) - 1023;
	if (exponent < -14)
		exponent = -14;
	return (uint16_t)(sign | (((exponent + 14) << 10) + (int)nearbyint(size * power_of_2(10 - exponent))));
}

/* An operand that is NaN, made quiet, the first one before the second; 0 if there is none. */
static uint16_t nan_of(uint16_t a, uint16_t b)
{
	return is_nan(a) ? a | QUIET : is_nan(b) ? b | QUIET : 0;
}

uint16_t fp16_add(uint16_t a, uint16_t b, int immediate)
{
	(void)immediate;
	return nan_of(a, b) ? nan_of(a, b) : rounded(value_of(a) + value_of(b));
}

uint16_t fp16_sub(uint16_t a, uint16_t b, int immediate)
{
	(void)immediate;
	return nan_of(a, b) ? nan_of(a, b) : rounded(value_of(a) - value_of(b));
}

uint16_t fp16_mul(uint16_t a, uint16_t b, int immediate)
{
	(void)immediate;
	return nan_of(a, b) ? nan_of(a, b) : rounded(value_of(a) * value_of(b));
}

uint16_t fp16_div(uint16_t a, uint16_t b, int immediate)
{
	(void)immediate;
	return nan_of(a, b) ? nan_of(a, b) : rounded(value_of(a) / value_of(b));
}

/* The second operand, as it is, if either is NaN or both are zeros. */
uint16_t fp16_max(uint16_t a, uint16_t b, int immediate)
{
	(void)immediate;
	return !is_nan(a) && !is_nan(b) && value_of(a) > value_of(b) ? a : b;
}

uint16_t fp16_sqrt(uint16_t a, uint16_t b, int immediate)
{
	(void)a;
	(void)immediate;
	return is_nan(b) ? b | QUIET : rounded(sqrt(value_of(b)));
}

/* The integer beside b, by the mode in the lowest bits of the immediate. */
uint16_t fp16_rndscale(uint16_t a, uint16_t b, int immediate)
{
	const double x = is_nan(b) ? 0 : value_of(b);
	const double modes[4] = {nearbyint(x), floor(x), ceil(x), trunc(x)};

	(void)a;
	return is_nan(b) ? b | QUIET : rounded(copysign(modes[immediate & 3], x));
}
