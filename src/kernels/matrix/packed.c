/* SPDX-License-Identifier: MIT */
/* Functions with which a program asks about packed matrices. */
#include "packed.h"

#include <string.h>

#include "resolve.h"

ISK_API size_t isk_packed_size(enum isk_type type, size_t k, size_t n)
{
	return isk_packed_bytes(type, k, n, 0);
}

ISK_API size_t isk_packed_groups_size(enum isk_type type, size_t k, size_t n, const struct isk_groups *groups)
{
	const int known = groups && groups->size == sizeof(*groups) && isk_packed_scalable(type, groups->group);

	return known ? isk_packed_bytes(type, k, n, groups->group) : 0;
}

/* The payload check of a packed matrix of `bytes` bytes, header included. */
static uint64_t payload_check(const void *packed, size_t bytes)
{
	typedef uint32_t word __attribute__((aligned(1), may_alias));
	const word *line = packed;
	uint32_t h[ISK_PACKED_PANEL] = {0};

	for (size_t left = bytes / ISK_PACKED_LINE; --left;) {
		line += ISK_PACKED_PANEL;
		for (unsigned i = 0; i < ISK_PACKED_PANEL; i++)
			h[i] = isk_packed_step(h[i], line[i]);
	}
	return isk_packed_fold(h);
}

ISK_API int isk_packed_check(const void *packed, size_t bytes, enum isk_type type)
{
	struct isk_packed header;
	int status;

	if (!packed)
		return ISK_ERR_NULL;
	if (bytes < sizeof(header))
		return ISK_ERR_PACKED;
	memcpy(&header, packed, sizeof(header));
	status = isk_packed_check_header(&header, type);
	if (status)
		return status;
	if (header.bytes > bytes)
		return ISK_ERR_PACKED;
	return header.payload_check == payload_check(packed, header.bytes) ? ISK_OK : ISK_ERR_PACKED;
}
