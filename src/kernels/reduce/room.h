/* SPDX-License-Identifier: MIT */
/* Copies of elements that no load of whole vectors can reach: the last ones of an array, and those a stride apart. */
#ifndef ISK_ROOM_H
#define ISK_ROOM_H

#include "part.h"

/* Room for a round: 8 lines. */
struct room {
	char bytes[8 * 64] __attribute__((aligned(64)));
};

/*
 * Copies n elements, step apart, and returns the copy, padded to a round with elements that change nothing: `nothing` has
 * the bits of 8 bytes of them. The function is a part, because each source would have its own copy of it otherwise.
 */
ISK_EXTERN const void *ISK_PART(padded_copy, padded_copy)(struct room *room, const void *from, size_t n, size_t step,
                                                          size_t bytes, size_t round, uint64_t nothing);

#endif
