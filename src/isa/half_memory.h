/* SPDX-License-Identifier: MIT */
/* Loads and stores of vh, the vectors of bit_lanes.h and half_lanes.h: 2 * VL elements of 16 bits, whose bits do not change. */
#ifndef ISK_HALF_MEMORY_H
#define ISK_HALF_MEMORY_H

ISK_INLINE vh vh_load_as(const void *p, size_t i, size_t n, const enum isk_type type)
{
	(void)type;
	return (vh)vi_load_bytes((const uint16_t *)p + i, 2 * n);
}

ISK_INLINE void vh_store_as(void *p, size_t i, vh v, size_t n, const enum isk_type type)
{
	(void)type;
	vi_store_bytes((uint16_t *)p + i, (vi)v, 2 * n);
}

ISK_INLINE void vh_stream_as(void *p, size_t i, vh v, const enum isk_type type)
{
	(void)type;
	vi_stream((uint16_t *)p + i, &v, sizeof(v));
}

#endif
