/* SPDX-License-Identifier: MIT */
/*
 * Exact sums as integers of many 64-bit words in two's complement, word[0] the lowest; its bit 0 is worth 2^lowest, which
 * is the last bit of the least product. There is room for 2^64 of the largest products, so that no sum overflows. Each
 * sum has a single such form. Therefore equal sums have equal words, whatever the order of their terms.
 */
#ifndef ISK_FIXED_POINT_H
#define ISK_FIXED_POINT_H

#include <stddef.h>
#include <stdint.h>

#include "isakern/reduce_types.h"

/*
 * Products of f32 are multiples of 2^-298 below 2^256, those of f64 multiples of 2^-2148 below 2^2048. With a sign and 64
 * bits for the count of terms that takes 619 and 4261 bits.
 */
enum { ISK_LOWEST_F32 = -298, ISK_LOWEST_F64 = -2148 };

/* The terms that are no numbers. */
enum { ISK_SAW_NAN = 1, ISK_SAW_INFINITY = 2, ISK_SAW_MINUS_INFINITY = 4 };

/* Adds value * 2^at to a sum; |value| is below 2^126. A carry stops at the first word beyond value that absorbs it. */
static inline void isk_fixed_add(uint64_t *word, int words, __int128 value, int at)
{
	const int shift = at % 64;
	const uint64_t sign = value < 0 ? UINT64_MAX : 0;
	const uint64_t parts[] = {(uint64_t)value << shift, (uint64_t)(value >> (64 - shift)),
	                          (uint64_t)(value >> 64 >> (64 - shift))};
	unsigned carry = 0;

	for (int i = at / 64, part = 0; i < words && (part < 3 || carry != (sign & 1)); i++, part++) {
		const unsigned __int128 now = (unsigned __int128)word[i] + (part < 3 ? parts[part] : sign) + carry;

		word[i] = (uint64_t)now;
		carry = (unsigned)(now >> 64);
	}
}

/* x as an integer times 2^*exponent. */
static inline int64_t isk_integer_of(double x, int *exponent)
{
	const int64_t last = (int64_t)1 << 52;
	int64_t bits, fraction;

	__builtin_memcpy(&bits, &x, sizeof(bits));
	*exponent = (int)(bits >> 52 & 0x7ff);
	fraction = (bits & (last - 1)) | (*exponent ? last : 0);
	*exponent = (*exponent ? *exponent : 1) - 1075;
	return bits < 0 ? -fraction : fraction;
}

static inline void isk_add_special(uint32_t *flags, double x)
{
	*flags |= x != x ? ISK_SAW_NAN : x > 0 ? ISK_SAW_INFINITY : ISK_SAW_MINUS_INFINITY;
}

/* Adds a number that is a multiple of 2^lowest, whose last bits as a double are therefore 0 if they are below, or a special. */
static inline void isk_fixed_add_number(uint64_t *word, int words, int lowest, uint32_t *flags, double x)
{
	int at;
	const int64_t value = isk_integer_of(x, &at);

	at -= lowest;
	if (!__builtin_isfinite(x))
		isk_add_special(flags, x);
	else if (at >= 0)
		isk_fixed_add(word, words, value, at);
	else if (value)
		isk_fixed_add(word, words, value >> -at, 0);
}

/* The size of a sum: its words are the complements of `word` above the lowest one that is not 0, and minus that one. */
struct isk_size {
	const uint64_t *word;
	int words, first, is_negative;
};

static inline struct isk_size isk_size_of(const uint64_t *word, int words)
{
	struct isk_size size = {word, words, 0, (int)(word[words - 1] >> 63)};

	while (size.first < words && !word[size.first])
		size.first++;
	return size;
}

static inline uint64_t isk_size_word(const struct isk_size *size, int i)
{
	if (i >= size->words)
		return 0;
	return !size->is_negative || i < size->first ? size->word[i] : i == size->first ? -size->word[i] : ~size->word[i];
}

/* The highest word that is not 0, of a size that is not 0. */
static inline int isk_size_top(const struct isk_size *size)
{
	int top = size->words - 1;

	while (!isk_size_word(size, top))
		top--;
	return top;
}

/* Whether a bit of the size is 1. */
static inline int isk_size_bit(const struct isk_size *size, int bit)
{
	return (int)(isk_size_word(size, bit / 64) >> bit % 64 & 1);
}

/* kept * 2^exponent, where that is a double or above the range; exponent is -1074 or more. */
static inline double isk_scaled(uint64_t kept, int exponent)
{
	const uint64_t bits = exponent < -1022 ? (uint64_t)1 << (exponent + 1074) : (uint64_t)(exponent + 1023) << 52;
	double unit;

	if (exponent > 1023)
		return __builtin_inf();
	__builtin_memcpy(&unit, &bits, sizeof(unit));
	return (double)kept * unit;
}

/*
 * The nearest double of `digits` bits that is a multiple of 2^least, ties to even: the f32 of 24 bits and -149, the f64
 * of 53 bits and -1074. If an f32 is out of range, the result is 2^128 or more.
 */
static inline double isk_fixed_rounded(const uint64_t *word, int words, int lowest, int digits, int least)
{
	const struct isk_size size = isk_size_of(word, words);
	int top, last, shift;
	uint64_t kept;
	double result;

	if (size.first == words)
		return 0;
	top = isk_size_top(&size);
	/* The last bit that is kept. */
	last = 64 * top + 63 - __builtin_clzll(isk_size_word(&size, top)) - (digits - 1);
	last = last > least - lowest ? last : least - lowest;
	last = last > 0 ? last : 0;
	shift = last % 64;
	kept = isk_size_word(&size, last / 64) >> shift;
	if (shift)
		kept |= isk_size_word(&size, last / 64 + 1) << (64 - shift);
	/* Up from more than half of the last place, or from half if the last bit is 1. The lowest bit that is 1 tells which. */
	if (last && isk_size_bit(&size, last - 1)
	    && ((kept & 1) || 64 * size.first + __builtin_ctzll(word[size.first]) < last - 1))
		kept++;
	result = isk_scaled(kept, last + lowest);
	return size.is_negative ? -result : result;
}

/* The sum of all terms if some are no numbers. */
static inline double isk_special(unsigned flags)
{
	if (flags & ISK_SAW_NAN || (flags & ISK_SAW_INFINITY && flags & ISK_SAW_MINUS_INFINITY))
		return __builtin_nan("");
	return flags & ISK_SAW_INFINITY ? __builtin_inf() : -__builtin_inf();
}

/* The function of an ISA and an element type that adds n elements, or products if b is not NULL, to words and flags. */
typedef void isk_accumulate_fn(uint64_t *word, uint32_t *flags, const void *a, const void *b, size_t n);

#endif
