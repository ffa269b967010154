/* SPDX-License-Identifier: MIT */
/* Functions with which a program asks about element types. */
#include "formats.h"
#include "isakern/query_types.h"
#include "isas.h"
#include "resolve.h"

/* Lanes of f32 in a vector of each ISA */
#define X(isa, lanes, ...) lanes,
static const uint8_t lanes_of[] = {ISK_ISAS(X)};
#undef X

ISK_API size_t isk_type_size(enum isk_type type)
{
	return isk_element_bytes(type);
}

ISK_API size_t isk_vec_length(enum isk_type type)
{
	const size_t bytes = isk_element_bytes(type);

	return bytes ? 4 * lanes_of[isk_level()] / bytes * (isk_shares_byte(type) ? 2 : 1) : 0;
}
