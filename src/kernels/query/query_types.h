/* SPDX-License-Identifier: MIT */
/* Functions that describe element types and vectors. */
#ifndef ISAKERN_QUERY_TYPES_H
#define ISAKERN_QUERY_TYPES_H

#include <isakern/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the bytes of an element (for s4, of two elements), or 0 for a type that this isakern does not know. */
size_t isk_type_size(enum isk_type type);

/* Returns the number of elements in a vector of the current ISA, isk_isa_current(); 0 for an unknown type. */
size_t isk_vec_length(enum isk_type type);

#ifdef __cplusplus
}
#endif

#endif
