/* SPDX-License-Identifier: MIT */
/* The size of the second-level cache, for the blocking of products. */
#ifndef ISK_SECOND_LEVEL_H
#define ISK_SECOND_LEVEL_H

#include <stddef.h>

/* The bytes of a core's second-level cache as the C library tells them, or 1 MiB if it does not. */
size_t isk_second_level(void);

#endif
