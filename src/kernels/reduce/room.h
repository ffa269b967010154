/* SPDX-License-Identifier: MIT */
/* Copies of elements that no load of whole vectors can reach: the last ones of an array, and those a stride apart. */
#ifndef ISK_ROOM_H
#define ISK_ROOM_H

#include "kernel.h"

/* Room for a round: 8 lines. */
struct room {
	char bytes[8 * 64] __attribute__((aligned(64)));
};

__attribute__((noinline, unused)) static const void *copied_to(struct room *room, const void *from, size_t n, size_t step,
                                                               size_t bytes, size_t round, uint64_t nothing)
{
	const vi fill = (vi)((vul){0} + nothing);
	const char *p = from;
	char *to = room->bytes;

	if (step == 1 && !nothing) {
		for (size_t at = 0; at < round * bytes; at += sizeof(vi))
			vi_store_bytes(to + at, vi_load_bytes(p + at, at < n * bytes ? n * bytes - at : 0), sizeof(vi));
		return to;
	}
	for (size_t at = 0; at < round * bytes; at += sizeof(vi))
		vi_store_bytes(to + at, fill, sizeof(vi));
	if (step == 1) {
		for (size_t at = 0; at < n * bytes; at += sizeof(vi))
			vi_store_bytes(to + at, vi_load_bytes(p + at, n * bytes - at), n * bytes - at);
		return to;
	}
	for (size_t i = 0; i < n; i++, p += step * bytes, to += bytes)
		if (bytes == 8)
			__builtin_memcpy(to, p, 8);
		else if (bytes == 4)
			__builtin_memcpy(to, p, 4);
		else
			__builtin_memcpy(to, p, 2);
	return room->bytes;
}

/*
 * Copies n elements, step apart, and returns the copy, padded to a round with elements that change nothing: `nothing` has
 * the bits of 8 bytes of them. gcc may not see the bytes of an element and of a round, because its version of copied_to()
 * for them takes up to 1.25 times as long (avx2, 3 elements of f32 a stride apart).
 */
ISK_INLINE const void *copied(struct room *room, const void *from, size_t n, size_t step, size_t bytes, size_t round,
                              uint64_t nothing)
{
	__asm__("" : "+r"(bytes), "+r"(round));
	return copied_to(room, from, n, step, bytes, round, nothing);
}

#endif
