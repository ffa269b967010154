/* SPDX-License-Identifier: MIT */
/*
 * Whether vdpbf16ps may multiply, which takes denormals for 0: where none can
 * come up. Every bf16 of exponent field e > 0 is a multiple of 2^(e - 134), every
 * product of one of A by one of B, and with it every sum however rounded, a
 * multiple of 2^(ea + eb - 268), and that is no denormal where the least
 * exponents add up to 142.
 */
#ifndef ISK_BF16_PAIRS_H
#define ISK_BF16_PAIRS_H

#include "kernel.h"

/* What the least exponent fields of A and B must add up to, if neither is 0. */
#define DOT_EXPONENTS 142

typedef uint16_t halves __attribute__((vector_size(4 * VL)));

/* The least so far of twice the magnitudes of bf16, less one, so that 0 is the largest; it begins with -1. */
ISK_INLINE vi least_of(vi least, vi x)
{
	return vi_min_u16(least, (vi)((halves)x + (halves)x - 1));
}

/* And how far the largest is from the largest there could be. */
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

/* The exponent field of the least magnitude; 255 where there is none but 0. */
static inline int exponent_of(vi least)
{
	const int all = least_half(least);

	return all == UINT16_MAX ? 255 : (all + 1) >> 8;
}

/* Whether none of them is infinite or NaN. */
static inline int is_finite(vi room)
{
	return least_half(room) > 0xff;
}

/* The smallest exponent field of rows of n elements, ld apart, that are not 0. */
static inline int least_exponent(const isk_bf16 *x, size_t rows, size_t n, size_t ld)
{
	vi least = vi_set1(-1);

	for (; rows; rows--, x += ld)
		for (size_t j = 0; j < n; j += 2 * VL)
			least = least_of(least, vi_load_bytes(x + j, 2 * (n - j)));
	return exponent_of(least);
}

/* Whether such rows of A meet no denormal in a B of this least exponent, nor make one with it. */
static inline int meet_no_denormal(const isk_bf16 *x, size_t rows, size_t n, size_t ld, int least_of_b)
{
	const int least = least_of_b ? least_exponent(x, rows, n, ld) : 0;

	return least && least + least_of_b >= DOT_EXPONENTS;
}

#endif
