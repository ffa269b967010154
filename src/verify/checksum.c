/* SPDX-License-Identifier: MIT */
/*
 * XXH64, from its specification (doc/xxhash_spec.md of github.com/Cyan4973/xxHash). It has 64 bits and many
 * implementations to compare with. In plain C it takes a few cycles for 8 bytes, so that the results of 2^32
 * inputs are read in seconds.
 */
#include "checksum.h"

#include <string.h>

static const uint64_t primes[] = {0x9e3779b185ebca87u, 0xc2b2ae3d27d4eb4fu, 0x165667b19e3779f9u, 0x85ebca77c2b2ae63u,
                                  0x27d4eb2f165667c5u};

static uint64_t rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

static uint64_t mix(uint64_t lane, uint64_t input)
{
	return rotate(lane + input * primes[1], 31) * primes[0];
}

static uint64_t read64(const unsigned char *at)
{
	uint64_t x;

	memcpy(&x, at, sizeof(x));
	return x;
}

static uint32_t read32(const unsigned char *at)
{
	uint32_t x;

	memcpy(&x, at, sizeof(x));
	return x;
}

uint64_t checksum_of(const void *bytes, size_t count)
{
	const unsigned char *at = bytes, *end = at + count;
	uint64_t h = primes[4];

	if (count >= 32) {
		uint64_t lanes[4] = {primes[0] + primes[1], primes[1], 0, -primes[0]};

		for (; end - at >= 32; at += 32)
			for (int i = 0; i < 4; i++)
				lanes[i] = mix(lanes[i], read64(at + (size_t)8 * i));
		h = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
		for (int i = 0; i < 4; i++)
			h = (h ^ mix(0, lanes[i])) * primes[0] + primes[3];
	}
	h += count;
	for (; end - at >= 8; at += 8)
		h = rotate(h ^ mix(0, read64(at)), 27) * primes[0] + primes[3];
	for (; end - at >= 4; at += 4)
		h = rotate(h ^ read32(at) * primes[0], 23) * primes[1] + primes[2];
	for (; at < end; at++)
		h = rotate(h ^ *at * primes[4], 11) * primes[0];
	h = (h ^ h >> 33) * primes[1];
	h = (h ^ h >> 29) * primes[2];
	return h ^ h >> 32;
}
