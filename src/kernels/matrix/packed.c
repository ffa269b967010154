/* SPDX-License-Identifier: MIT */
/* What a program asks about packed matrices. */
#include "packed.h"

#include <string.h>

#include "packed_check.h"
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
	return header.payload_check == isk_packed_payload_check(packed, header.bytes) ? ISK_OK : ISK_ERR_PACKED;
}
