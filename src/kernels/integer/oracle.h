/* SPDX-License-Identifier: MIT */
/* Computes in integers of 128 bits, which hold every result before it is reduced modulo 2^n. */
#if !ISK_WIDE

static __int128 floor_quotient(__int128 a, __int128 b)
{
	return b ? a / b - (a % b != 0 && (a < 0) != (b < 0)) : 0;
}

static __int128 saturated(__int128 x, enum isk_type type)
{
	const __int128 least = isk_least_integer(type), most = isk_greatest_integer(type);

	return x < least ? least : x > most ? most : x;
}

/* Counts are unsigned. All counts of the width or more have the same result, so they are reduced to the width. */
static int count_of(__int128 b, enum isk_type type)
{
	const int bits = isk_integer_bits(type);

	return b < 0 || b > bits ? bits : (int)b;
}

INTEGERS(zip, add, a + b)
INTEGERS(zip, sub, a - b)
INTEGERS(zip, mul, a *b)
INTEGERS(zip, minimum, a < b ? a : b)
INTEGERS(zip, maximum, a > b ? a : b)
INTEGERS(zip, bit_and, a &b)
INTEGERS(zip, bit_or, a | b)
INTEGERS(zip, bit_xor, a ^ b)
INTEGERS(map, bit_not, ~x)
INTEGERS(map, copy, x)
INTEGERS(zip, shl, (__int128)((unsigned __int128)a << count_of(b, type)))
INTEGERS(zip, shr, a >> count_of(b, type))
INTEGERS(zip, add_sat, saturated(a + b, type))
INTEGERS(zip, sub_sat, saturated(a - b, type))
INTEGERS(zip, trunc_div, b ? a / b : 0)
INTEGERS(zip, trunc_mod, b ? a % b : a)
INTEGERS(zip, floor_div, floor_quotient(a, b))
INTEGERS(zip, floor_mod, a - b * floor_quotient(a, b))

#endif
