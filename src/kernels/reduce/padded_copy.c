/* SPDX-License-Identifier: MIT */
/* Copies elements into a room: see room.h. */
#include "room.h"

const void *ISK_FN(padded_copy)(struct room *room, const void *from, size_t n, size_t step, size_t bytes, size_t round,
                                uint64_t nothing)
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
