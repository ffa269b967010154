/* SPDX-License-Identifier: MIT */
/* Copies of elements that no load of whole vectors can reach: the last ones of an array, and those a stride apart. */
#ifndef ISK_ROOM_H
#define ISK_ROOM_H

#include "part.h"

/* Room for a round: 8 lines. */
struct room {
	char bytes[8 * 64] __attribute__((aligned(64)));
};

/* The even lanes of two vectors, of 32 and of 64 bits. */
#if VL == 16
#define EVEN_32 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define EVEN_64 0, 2, 4, 6, 8, 10, 12, 14
#elif VL == 8
#define EVEN_32 0, 2, 4, 6, 8, 10, 12, 14
#define EVEN_64 0, 2, 4, 6
#else
#define EVEN_32 0, 2, 4, 6
#define EVEN_64 0, 2
#endif

/* A vector of elements of 4 or 8 bytes, 2 apart. Nothing after the last one is read. */
ISK_INLINE vi every_other(const void *from, const size_t bytes)
{
	const char *p = from;
	const vi a = vi_load_bytes(p, sizeof(vi)), b = vi_load_bytes(p + sizeof(vi), sizeof(vi) - bytes);

	return bytes == 8 ? (vi)__builtin_shufflevector((vl)a, (vl)b, EVEN_64) : __builtin_shufflevector(a, b, EVEN_32);
}

typedef const void *copy_fn(struct room *room, const void *from, size_t n, size_t step, size_t bytes, size_t round,
                            uint64_t nothing);

/*
 * Copies n elements, step apart, and returns the copy, padded to a round with elements that change nothing: `nothing` has
 * the bits of 8 bytes of them.
 */
ISK_EXTERN copy_fn ISK_PART(room, copied);

#endif
