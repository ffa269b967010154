/* SPDX-License-Identifier: MIT */
/*
 * Quotients and remainders, element by element, because x86-64 and neon cannot divide
 * vectors of integers. No element is divided by 0 or by -1, since x86-64 traps on a / 0
 * and on the least integer divided by -1.
 */
#include "quotient_kernels.h"

#define QUOTIENTS(T, U)                                                                                      \
	ISK_INLINE ISK_C_##T trunc_div_##T(ISK_C_##T a, ISK_C_##T b)                                             \
	{                                                                                                        \
		return b == 0 ? 0 : b == -1 ? (ISK_C_##T)(0 - (U)a) : a / b;                                         \
	}                                                                                                        \
	ISK_INLINE ISK_C_##T trunc_mod_##T(ISK_C_##T a, ISK_C_##T b)                                             \
	{                                                                                                        \
		return b == 0 ? a : b == -1 ? 0 : a % b;                                                             \
	}                                                                                                        \
	/* Whether the floor of a / b is 1 less than the truncated quotient; rest is the remainder of that. */   \
	ISK_INLINE int is_lower_##T(ISK_C_##T rest, ISK_C_##T b)                                                 \
	{                                                                                                        \
		return rest != 0 && b != 0 && (rest ^ b) < 0;                                                        \
	}                                                                                                        \
	ISK_INLINE ISK_C_##T floor_div_##T(ISK_C_##T a, ISK_C_##T b)                                             \
	{                                                                                                        \
		return trunc_div_##T(a, b) - is_lower_##T(trunc_mod_##T(a, b), b);                                   \
	}                                                                                                        \
	ISK_INLINE ISK_C_##T floor_mod_##T(ISK_C_##T a, ISK_C_##T b)                                             \
	{                                                                                                        \
		const ISK_C_##T rest = trunc_mod_##T(a, b);                                                          \
                                                                                                             \
		return rest + (is_lower_##T(rest, b) ? b : 0);                                                       \
	}
QUOTIENTS(s32, uint32_t)
QUOTIENTS(s64, uint64_t)

#define EACH(kernel, T, op)                                                                                  \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *a, const ISK_C_##T *b, size_t n)                     \
	{                                                                                                        \
		for (size_t i = 0; i < n; i++)                                                                       \
			y[i] = op##_##T(a[i], b[i]);                                                                     \
	}

ISK_EACH_trunc_div(EACH, trunc_div)
ISK_EACH_trunc_mod(EACH, trunc_mod)
ISK_EACH_floor_div(EACH, floor_div)
ISK_EACH_floor_mod(EACH, floor_mod)
