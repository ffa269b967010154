/* SPDX-License-Identifier: MIT */
/* Philox4x32-10 in plain C, for oracles and isk_philox_block(). */
#ifndef ISK_PLAIN_PHILOX_H
#define ISK_PLAIN_PHILOX_H

#include <stdint.h>

static inline void isk_plain_philox(uint32_t words[4], const uint32_t counter[4], const uint32_t key[2])
{
	uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
	uint32_t k0 = key[0], k1 = key[1];

	for (int round = 0; round < 10; round++) {
		const uint64_t a = (uint64_t)c0 * 0xd2511f53, b = (uint64_t)c2 * 0xcd9e8d57;

		c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
		c1 = (uint32_t)b;
		c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
		c3 = (uint32_t)a;
		k0 += 0x9e3779b9;
		k1 += 0xbb67ae85;
	}
	words[0] = c0;
	words[1] = c1;
	words[2] = c2;
	words[3] = c3;
}

#endif
