/* SPDX-License-Identifier: MIT */
/* The memory that the arrays of a call take, by what the table says of them. */
#ifndef ISK_CALL_BYTES_H
#define ISK_CALL_BYTES_H

#include "call.h"

/* From the first byte of an array to its last; SIZE_MAX where that cannot be counted. */
size_t isk_array_bytes(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a);

static inline int isk_is_array(const struct isk_argument *a)
{
	return a->role == ISK_OUT || a->role == ISK_IN;
}

static inline const void *isk_pointer_of(union isk_args *args, const struct isk_argument *a)
{
	return *(const void *const *)isk_argument_at(args, a);
}

/* The struct of this name among the arguments; NULL where there is none, or it is NULL. */
const void *isk_struct_of(const struct isk_kernel *k, union isk_args *args, const char *structure);

#endif
