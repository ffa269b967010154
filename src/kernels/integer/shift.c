/* SPDX-License-Identifier: MIT */
/*
 * Shifts, with a count for each element. C does not define shifts by the width of the
 * type or more, so counts are reduced, and the results of such shifts are set to 0 or
 * filled with the sign. Bytes are shifted by 4, 2 and 1 as the bits of the count say,
 * because x86-64 has no shift of bytes.
 */
#include "shift_kernels.h"
#include "integers.h"

typedef vector_uint8_t v8;

ISK_INLINE v8 either(v8 mask, v8 a, v8 b)
{
	return (mask & a) | (~mask & b);
}

ISK_INLINE v8 shl_u8(v8 a, v8 b)
{
	a = either((v8)((b & 4) == 4), a << 4, a);
	a = either((v8)((b & 2) == 2), a << 2, a);
	a = either((v8)((b & 1) == 1), a << 1, a);
	return a & (v8)(b < 8);
}

ISK_INLINE v8 shr_u8(v8 a, v8 b)
{
	a = either((v8)((b & 4) == 4), a >> 4, a);
	a = either((v8)((b & 2) == 2), a >> 2, a);
	a = either((v8)((b & 1) == 1), a >> 1, a);
	return a & (v8)(b < 8);
}

#define SHIFTS(T, signed_vector, vector, width)                                                              \
	ISK_INLINE vector shl_##T(vector a, vector b)                                                            \
	{                                                                                                        \
		return (a << (b & (width - 1))) & (vector)(b < width);                                               \
	}                                                                                                        \
	ISK_INLINE vector shr_##T(vector a, vector b)                                                            \
	{                                                                                                        \
		return (vector)((signed_vector)a >> (signed_vector)((b | (vector)(b >= width)) & (width - 1)));      \
	}
SHIFTS(s32, vi, vector_uint32_t, 32)
SHIFTS(s64, vl, vector_uint64_t, 64)

#define SHL(T, a, b) shl_##T(a, b)
#define SHR(T, a, b) shr_##T(a, b)

INTEGERS_2(shl, SHL)
INTEGERS_2(shr, SHR)
