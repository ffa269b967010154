/* SPDX-License-Identifier: MIT */
/* What a program asks about element types. */
#include <string.h>

#include "element_types.h"
#include "isakern/library.h"
#include "isakern/query_types.h"
#include "isas.h"
#include "resolve.h"

#define X(isa, lanes, ...) {#isa, lanes},
static const struct {
	char isa[16];
	uint8_t lanes; /* of f32 */
} vectors[] = {ISK_ISAS(X)};
#undef X

ISK_API size_t isk_type_size(enum isk_type type)
{
	return isk_element_bytes(type);
}

ISK_API size_t isk_vec_length(enum isk_type type)
{
	const char *current = isk_isa_current();
	const size_t bytes = isk_type_size(type);
	size_t i = 0;

	while (strcmp(vectors[i].isa, current) != 0)
		i++;
	return bytes ? 4 * vectors[i].lanes / bytes : 0;
}
