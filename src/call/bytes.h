/* SPDX-License-Identifier: MIT */
/* The memory that the arrays of a call take, from the shape's row in its table. */
#ifndef ISK_CALL_BYTES_H
#define ISK_CALL_BYTES_H

#include "call.h"

/* The bytes from the first to the last of an array; SIZE_MAX if size_t cannot count them. */
size_t isk_array_bytes(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a);

/* The struct of this name among the arguments; NULL if there is none, or if the argument is NULL. */
const void *isk_struct_of(const struct isk_kernel *k, union isk_args *args, const char *structure);

#endif
