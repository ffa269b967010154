/* SPDX-License-Identifier: MIT */
/*
 * Decides whether vdpbf16ps may multiply. It takes denormals for 0, so none may occur.
 * Every bf16 with exponent field e > 0 is a multiple of 2^(e - 134). Hence each product of
 * an element of A by one of B, and each sum of products however rounded, is a multiple of
 * 2^(ea + eb - 268), which is no denormal if the least exponent fields add up to 142.
 */
#ifndef ISK_BF16_PAIRS_H
#define ISK_BF16_PAIRS_H

#include "kernel.h"

/* The smallest sum of the least exponent fields of A and B, if neither is 0, that excludes denormals. */
#define DOT_EXPONENTS 142

typedef uint16_t halves __attribute__((vector_size(4 * VL)));

/* The running minimum, from -1 on, of 2 |x| - 1 of the bits of bf16; the -1 makes 0 the largest value. */
ISK_INLINE vi least_of(vi least, vi x)
{
	return vi_min_u16(least, (vi)((halves)x + (halves)x - 1));
}

/* The running minimum, from -1 on, of the distance between 2 |x| and all ones, in the bits of bf16. */
ISK_INLINE vi room_of(vi room, vi x)
{
	return vi_min_u16(room, ~(vi)((halves)x + (halves)x));
}

static inline int least_half(vi v)
{
	int32_t lanes[VL], all = UINT16_MAX;

	vi_store(lanes, v);
	for (int i = 0; i < VL; i++) {
		const int low = lanes[i] & UINT16_MAX, high = lanes[i] >> 16 & UINT16_MAX;

		all = low < all ? low : all;
		all = high < all ? high : all;
	}
	return all;
}

/* The exponent field of the least magnitude that is not 0; 255 if all are 0. */
static inline int exponent_of(vi least)
{
	const int all = least_half(least);

	return all == UINT16_MAX ? 255 : (all + 1) >> 8;
}

/* Whether no element is infinite or NaN, from its room_of(). */
static inline int is_finite(vi room)
{
	return least_half(room) > 0xff;
}

/* The smallest exponent field of the elements that are not 0, in rows of n elements, ld apart. */
static inline int least_exponent(const isk_bf16 *x, size_t rows, size_t n, size_t ld)
{
	vi least = vi_set1(-1);

	for (; rows; rows--, x += ld)
		for (size_t j = 0; j < n; j += 2 * VL)
			least = least_of(least, vi_load_bytes(x + j, 2 * (n - j)));
	return exponent_of(least);
}

/* Whether neither these rows of A, nor B (with this least exponent field), nor their products contain denormals. */
static inline int meet_no_denormal(const isk_bf16 *x, size_t rows, size_t n, size_t ld, int least_of_b)
{
	const int least = least_of_b ? least_exponent(x, rows, n, ld) : 0;

	return least && least + least_of_b >= DOT_EXPONENTS;
}

#endif
