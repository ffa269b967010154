/* SPDX-License-Identifier: MIT */
/* Checksums of outputs: FNV-1a, of 64 bits. */
#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_OF_NOTHING 0xcbf29ce484222325u

/* The checksum of all bytes before, whose checksum is h, and of these. */
static inline uint64_t checksum_of(uint64_t h, const void *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		h = (h ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
	return h;
}

#endif
