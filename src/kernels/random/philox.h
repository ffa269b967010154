/* SPDX-License-Identifier: MIT */
/*
 * Philox4x32-10 on vectors. Each 32-bit word of state has a lane of 64 bits. Products leave
 * arbitrary bits in its upper half, and ignore those of their factors. Blocks are assigned
 * to lanes such that the resulting words are in order.
 */
#ifndef ISK_PHILOX_H
#define ISK_PHILOX_H

#include "kernel.h"

/* Words of a batch: two vectors of blocks, so that one is computed while the other waits for its products. */
#define WORDS (4 * VL)

/* The numbers of the blocks for words[2 * v] and words[2 * v + 1], one in each lane of 64 bits; block is the first one. */
ISK_INLINE vul blocks_from(uint64_t block, int v)
{
	vul number = {0};

	/* Lane 2l + h is the block with which lane l of vector h is to begin. */
#pragma GCC unroll 8
	for (int lane = 0; lane < VD; lane++)
		number[lane] = (uint64_t)(v * VD + (lane & 1) * (VD / 2) + lane / 2);
	return number + block;
}

/* The words of a batch of blocks. Block numbers are at most last, after which they continue with 0. */
ISK_INLINE void philox(vi words[4], uint64_t block, uint64_t last, uint64_t seed)
{
	uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
	const vul low = (vul){0} + 0xffffffff;
	vul c0[2], c1[2], c2[2], c3[2];

#pragma GCC unroll 2
	for (int v = 0; v < 2; v++) {
		c0[v] = blocks_from(block, v) & last;
		c1[v] = c0[v] >> 32;
		c2[v] = c3[v] = (vul){0};
	}
	for (int round = 0; round < 10; round++, k0 += 0x9e3779b9, k1 += 0xbb67ae85)
#pragma GCC unroll 2
		for (int v = 0; v < 2; v++) {
			const vul a = vul_mul_low(c0[v], (vul){0} + 0xd2511f53),
					  b = vul_mul_low(c2[v], (vul){0} + 0xcd9e8d57);

			c0[v] = b >> 32 ^ c1[v] ^ k0;
			c1[v] = b;
			c2[v] = a >> 32 ^ c3[v] ^ k1;
			c3[v] = a;
		}
#pragma GCC unroll 2
	for (int v = 0; v < 2; v++) {
		const vi first = (vi)((c0[v] & low) | c1[v] << 32), second = (vi)((c2[v] & low) | c3[v] << 32);

		words[2 * v] = vi_unpack_low(first, second, 8);
		words[2 * v + 1] = vi_unpack_high(first, second, 8);
	}
}

/* The batch that begins with the block of an element; a block makes `each` elements. */
ISK_INLINE void philox_at(vi words[4], uint64_t element, const unsigned each, int64_t seed)
{
	philox(words, element / each, UINT64_MAX / each, (uint64_t)seed);
}

/* The number of elements of a batch from this one on, but at most left. */
ISK_INLINE size_t batch_from(uint64_t element, const unsigned each, size_t left)
{
	const size_t rest = WORDS / 4 * each - element % each;

	return left < rest ? left : rest;
}

#endif
