/* SPDX-License-Identifier: MIT */
/*
 * The bits of the neighbour of a number. Read as sign and magnitude, bits are integers in the order of the numbers, and
 * neighbours differ by 1. A template for lanes of 32 and of 64 bits:
 *
 *     BITS   vi or vl: the vectors of bits, and the beginning of its names
 *     LANE   the type of a lane
 *     LEAST  the least value of that type, whose only bit is the sign of a number
 */
#define N(name)           ISK_PASTE2(BITS, _##name)
#define CHOSEN(m, x, y)   (((m) & (x)) | (~(m) & (y)))
#define SIGN_OF_ALL(bits) ((bits) >> (8 * sizeof(LANE) - 1))

/* The integers in the order of the numbers. */
ISK_INLINE BITS N(ordered)(BITS bits)
{
	const BITS sign = SIGN_OF_ALL(bits);

	return ((bits & ~LEAST) ^ sign) - sign;
}

/* inf are the bits of infinity, unit the bits of the least number. Larger bits than inf are NaNs. */
ISK_INLINE BITS N(next)(BITS a, BITS b, const LANE inf, const LANE unit)
{
	const BITS from = N(ordered)(a), to = N(ordered)(b);
	const BITS next = from + ((BITS)(from < to) & unit) - ((BITS)(from > to) & unit);
	const BITS sign = SIGN_OF_ALL(next);
	/* A number that becomes 0 keeps its sign. */
	const BITS bits = ((next ^ sign) - sign) | (CHOSEN((BITS)(next == 0), a, sign) & LEAST);
	const BITS is_nan = (BITS)((a & ~LEAST) > inf) | (BITS)((b & ~LEAST) > inf);

	return CHOSEN(is_nan, inf | (inf & -inf) >> 1, CHOSEN((BITS)(from == to), b, bits));
}

#undef N
#undef CHOSEN
#undef SIGN_OF_ALL
#undef BITS
#undef LANE
#undef LEAST
