/* SPDX-License-Identifier: MIT */
/* The payload check of packed.h over all lines of a matrix. */
#ifndef ISK_PACKED_CHECK_H
#define ISK_PACKED_CHECK_H

#include "packed.h"

/* bytes: of everything, the header included. */
static inline uint64_t isk_packed_payload_check(const void *packed, size_t bytes)
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

#endif
