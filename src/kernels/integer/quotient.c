/* SPDX-License-Identifier: MIT */
/*
 * Quotients and remainders, element by element, because x86-64 and neon cannot divide
 * vectors of integers. No element is divided by 0 or by -1, since x86-64 traps on a / 0
 * and on the least integer divided by -1.
 *
 * The functions compute in 64 bits, except for the division: a and b are values of a type
 * of `bits` bits, and the result modulo 2^bits is that of the type.
 */
#include "quotient_kernels.h"

ISK_INLINE int64_t trunc_div(int64_t a, int64_t b, const int bits)
{
	return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : bits == 32 ? (int32_t)a / (int32_t)b : a / b;
}

ISK_INLINE int64_t trunc_mod(int64_t a, int64_t b, const int bits)
{
	return b == 0 ? a : b == -1 ? 0 : bits == 32 ? (int32_t)a % (int32_t)b : a % b;
}

/* Whether the floor of a / b is 1 less than the truncated quotient; rest is the remainder of that. */
ISK_INLINE int is_lower(int64_t rest, int64_t b)
{
	return rest != 0 && b != 0 && (rest ^ b) < 0;
}

ISK_INLINE int64_t floor_div(int64_t a, int64_t b, const int bits)
{
	return trunc_div(a, b, bits) - is_lower(trunc_mod(a, b, bits), b);
}

ISK_INLINE int64_t floor_mod(int64_t a, int64_t b, const int bits)
{
	const int64_t rest = trunc_mod(a, b, bits);

	return rest + (is_lower(rest, b) ? b : 0);
}

#define QUOTIENTS(kernel, T, f)                                                                              \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *a, const ISK_C_##T *b, size_t n)                     \
	{                                                                                                        \
		for (size_t i = 0; i < n; i++)                                                                       \
			y[i] = (ISK_C_##T)f(a[i], b[i], 8 * sizeof(*y));                                                 \
	}

ISK_EACH_trunc_div(QUOTIENTS, trunc_div)
ISK_EACH_trunc_mod(QUOTIENTS, trunc_mod)
ISK_EACH_floor_div(QUOTIENTS, floor_div)
ISK_EACH_floor_mod(QUOTIENTS, floor_mod)
