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

ISK_INLINE vi load_halves(const isk_bf16 *x, size_t n)
{
	return n >= VL ? vi_load_u16(x) : vi_load_u16_n(x, n);
}

/* The smallest exponent field of rows of n elements, ld apart, that are not 0. */
static inline int least_exponent(const isk_bf16 *x, size_t rows, size_t n, size_t ld)
{
	vi least = vi_set1(INT32_MAX);
	int32_t lanes[VL], smallest = INT32_MAX;

	for (; rows; rows--, x += ld)
		for (size_t j = 0; j < n; j += VL) {
			const vi size = load_halves(x + j, n - j) & 0x7fff;
			const vi seen = vi_sel(vi_eq(size, vi_set1(0)), vi_set1(INT32_MAX), size);

			least = vi_sel(vi_gt(least, seen), seen, least);
		}
	vi_store(lanes, least);
	for (int i = 0; i < VL; i++)
		smallest = lanes[i] < smallest ? lanes[i] : smallest;
	return smallest >> 7;
}

#endif
