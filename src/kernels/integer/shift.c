/* SPDX-License-Identifier: MIT */
/*
 * Shifts, with a count for each element. C does not define shifts by the width of the
 * type or more, so counts are reduced, and the results of such shifts are set to 0 or
 * filled with the sign. Bytes are shifted by 4, 2 and 1 as the bits of the count say,
 * because x86-64 has no shift of bytes.
 */
#include "shift_kernels.h"
#include "integers.h"

ISK_INLINE vb either(vb mask, vb a, vb b)
{
	return (mask & a) | (~mask & b);
}

ISK_INLINE vb vb_shl(vb a, vb b)
{
	a = either((vb)((b & 4) == 4), a << 4, a);
	a = either((vb)((b & 2) == 2), a << 2, a);
	a = either((vb)((b & 1) == 1), a << 1, a);
	return a & (vb)(b < 8);
}

ISK_INLINE vb vb_shr(vb a, vb b)
{
	a = either((vb)((b & 4) == 4), a >> 4, a);
	a = either((vb)((b & 2) == 2), a >> 2, a);
	a = either((vb)((b & 1) == 1), a >> 1, a);
	return a & (vb)(b < 8);
}

ISK_INLINE vu vu_shl(vu a, vu b)
{
	return (a << (b & 31)) & (vu)(b < 32);
}

ISK_INLINE vu vu_shr(vu a, vu b)
{
	return (vu)((vi)a >> (vi)((b | (vu)(b >= 32)) & 31));
}

ISK_INLINE vul vul_shl(vul a, vul b)
{
	return (a << (b & 63)) & (vul)(b < 64);
}

ISK_INLINE vul vul_shr(vul a, vul b)
{
	return (vul)((vl)a >> (vl)((b | (vul)(b >= 64)) & 63));
}

#define v_shl(a, b) _Generic((a), vb: vb_shl, vu: vu_shl, vul: vul_shl)(a, b)
#define v_shr(a, b) _Generic((a), vb: vb_shr, vu: vu_shr, vul: vul_shr)(a, b)

INTEGERS_2(shl, v_shl(a, b))
INTEGERS_2(shr, v_shr(a, b))
