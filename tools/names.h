/* SPDX-License-Identifier: MIT */
#ifndef NAMES_H
#define NAMES_H

#include <stddef.h>

/* The edit distance of two names: letters inserted, deleted or replaced. Of b the first 63 letters count. */
size_t names_distance(const char *a, const char *b);

/*
 * Prints one line on stderr: the name does not exist, up to three similar names (or the three nearest), and
 * the command that lists all names.
 */
void names_unknown(const char *what, const char *name, const char *const *allowed, size_t count,
                   const char *all);

#endif
