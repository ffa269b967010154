/* SPDX-License-Identifier: MIT */
/*
 * Quotients and remainders. Those of 32 bits are computed in f64, because x86-64 and neon cannot divide vectors of integers: a
 * quotient that is not an integer is at least 1 / |b| away from one, and its rounding error is at most 2^-22 / |b|. Those of
 * 64 bits are computed element by element, without branches, because remainders of 0 are rare but not predictable.
 *
 * x86-64 traps on a / 0 and on the least integer divided by -1, and its quotient in f64 is no integer of 32 bits.
 */
#include "quotient_kernels.h"

/* Elements of s32, less than a vector of which are loaded and stored with a mask. */
#define LOAD(p, i, n)     vi_load_bytes((const char *)((p) + (i)), (n) * sizeof(int32_t))
#define STORE(p, i, v, n) vi_store_bytes((char *)((p) + (i)), v, (n) * sizeof(int32_t))

ISK_INLINE vi quotient_s32(vi a, vi b, const int floors)
{
	const vd low = vi_low_half(a) / vi_low_half(b), high = vi_high_half(a) / vi_high_half(b);
	const vi q = floors ? vd_halves_to_vi(vd_floor(low), vd_floor(high)) : vd_halves_to_vi(vd_trunc(low), vd_trunc(high));
	const vi is_minus = b == vi_set1(-1), is_0 = b == vi_set1(0);

	return ((is_minus & (vi)(0 - (vu)a)) | (~is_minus & q)) & ~is_0;
}

ISK_INLINE vi rest_s32(vi a, vi b, const int floors)
{
	return (vi)((vu)a - (vu)b * (vu)quotient_s32(a, b, floors));
}

struct division {
	int64_t quotient, rest;
};

/* Divides by 1 where b is 0 or -1. */
ISK_INLINE struct division divided(int64_t a, int64_t b, const int floors)
{
	const int64_t is_minus = -(int64_t)(b == -1), is_0 = -(int64_t)(b == 0), is_one = is_minus | is_0;
	const int64_t divisor = (b & ~is_one) | (is_one & 1), q = a / divisor, rest = (a - q * divisor) | (a & is_0);
	/* Whether the floor of a / b is 1 less than the truncated quotient. */
	const int64_t lower = floors & (rest != 0) & ((rest ^ b) < 0) & (b != 0);
	const uint64_t negated = ((uint64_t)q ^ (uint64_t)is_minus) - (uint64_t)is_minus;

	return (struct division){(int64_t)(negated & (uint64_t)~is_0) - lower, rest + (b & -lower)};
}

ISK_INLINE int64_t quotient_s64(int64_t a, int64_t b, const int floors)
{
	return divided(a, b, floors).quotient;
}

ISK_INLINE int64_t rest_s64(int64_t a, int64_t b, const int floors)
{
	return divided(a, b, floors).rest;
}

#define STEP_s32(m, f, floors) STORE(y, i, f##_s32(LOAD(a, i, m), LOAD(b, i, m), floors), m)
#define STEP_s64(m, f, floors) y[i] = f##_s64(a[i], b[i], floors)
#define COUNT_s32              ((size_t)VL)
#define COUNT_s64              ((size_t)1)

#define QUOTIENTS(kernel, T, f, floors)                                                                      \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *a, const ISK_C_##T *b, size_t n)                      \
	{                                                                                                        \
		size_t i = 0;                                                                                        \
                                                                                                             \
		for (; n - i >= COUNT_##T; i += COUNT_##T)                                                           \
			STEP_##T(COUNT_##T, f, floors);                                                                  \
		if (i < n)                                                                                           \
			STEP_##T(n - i, f, floors);                                                                      \
	}

ISK_EACH_trunc_div(QUOTIENTS, quotient, 0)
ISK_EACH_trunc_mod(QUOTIENTS, rest, 0)
ISK_EACH_floor_div(QUOTIENTS, quotient, 1)
ISK_EACH_floor_mod(QUOTIENTS, rest, 1)
