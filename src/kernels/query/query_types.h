/* SPDX-License-Identifier: MIT */
/* What may be asked about element types and vectors. */
#ifndef ISAKERN_QUERY_TYPES_H
#define ISAKERN_QUERY_TYPES_H

#include <isakern/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of an element, of s4 of two; or 0 of a type that this isakern does not know. */
size_t isk_type_size(enum isk_type type);

/* Elements of this type in a vector of the ISA in force, which is isk_isa_current(); 0 of an unknown type. */
size_t isk_vec_length(enum isk_type type);

#ifdef __cplusplus
}
#endif

#endif
