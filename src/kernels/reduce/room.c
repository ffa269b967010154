/* SPDX-License-Identifier: MIT */
/* Copies elements, a stride apart or the last of an array, to a room: see room.h. */
#include "room.h"

copy_fn ISK_FN(copied);

/* Copies whole vectors of elements of 4 or 8 bytes, 2 apart, and returns how many of the n elements these are. */
static size_t copied_by_two(char *to, const char *from, size_t n, const size_t bytes)
{
	const size_t lanes = sizeof(vi) / bytes;
	size_t i = 0;

	for (; n - i >= lanes; i += lanes, from += 2 * sizeof(vi), to += sizeof(vi))
		vi_store_bytes(to, every_other(from, bytes), sizeof(vi));
	return i;
}

/*
 * Copies whole vectors of elements of 4 or 8 bytes, and returns how many of the n elements these are. The elements of a
 * vector lie in `step` vectors of memory. A permutation brings each of its 32-bit words from its lane in one of them to its
 * own lane, and is the same for all of them, since their number does not count modulo VL. The last of them is read up to
 * the last element. That is why step is so small that this is there: (step - 1) * bytes < sizeof(vi).
 */
static size_t copied_by_words(char *to, const char *from, size_t n, size_t step, size_t bytes)
{
	const size_t width = bytes / 4, lanes = VL / width, last = sizeof(vi) - (step - 1) * bytes;
	const vi word = vi_iota(), part = word & (int32_t)(width - 1);
	const vi place = (word - part) * (int32_t)step + part, lane = place & (VL - 1), vector = place / VL;
	const vm in_last = vi_eq(vector, vi_set1((int32_t)(step - 1)));
	size_t i = 0;

	for (; n - i >= lanes; i += lanes, from += sizeof(vi), to += sizeof(vi)) {
		vf all = vf_lanes((vf)vi_load_bytes(from, sizeof(vi)), lane);

		from += sizeof(vi);
		for (int32_t k = 1; k < (int32_t)step - 1; k++, from += sizeof(vi))
			all = vf_sel(vi_eq(vector, vi_set1(k)), vf_lanes((vf)vi_load_bytes(from, sizeof(vi)), lane), all);
		all = vf_sel(in_last, vf_lanes((vf)vi_load_bytes(from, last), lane), all);
		vi_store_bytes(to, (vi)all, sizeof(vi));
	}
	return i;
}

static void copy_one_by_one(char *to, const char *from, size_t n, size_t step, size_t bytes)
{
	for (size_t i = 0; i < n; i++, from += step * bytes, to += bytes)
		if (bytes == 8)
			__builtin_memcpy(to, from, 8);
		else if (bytes == 4)
			__builtin_memcpy(to, from, 4);
		else
			__builtin_memcpy(to, from, 2);
}

const void *ISK_FN(copied)(struct room *room, const void *from, size_t n, size_t step, size_t bytes, size_t round,
                           uint64_t nothing)
{
	const vi fill = (vi)((vul){0} + nothing);
	const char *p = from;
	char *const to = room->bytes;
	size_t i = 0;

	if (step == 1 && !nothing) {
		for (size_t at = 0; at < round * bytes; at += sizeof(vi))
			vi_store_bytes(to + at, vi_load_bytes(p + at, at < n * bytes ? n * bytes - at : 0), sizeof(vi));
		return to;
	}
	if (n < round)
		for (size_t at = 0; at < round * bytes; at += sizeof(vi))
			vi_store_bytes(to + at, fill, sizeof(vi));
	if (step == 1) {
		for (size_t at = 0; at < n * bytes; at += sizeof(vi))
			vi_store_bytes(to + at, vi_load_bytes(p + at, n * bytes - at), n * bytes - at);
		return to;
	}
	if (bytes > 2 && step == 2)
		i = bytes == 8 ? copied_by_two(to, p, n, 8) : copied_by_two(to, p, n, 4);
	else if (VL > 4 && bytes > 2 && (step - 1) * bytes < sizeof(vi))
		i = copied_by_words(to, p, n, step, bytes);
	copy_one_by_one(to + i * bytes, p + i * step * bytes, n - i, step, bytes);
	return to;
}
