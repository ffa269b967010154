/* SPDX-License-Identifier: MIT */
#ifndef NAMES_H
#define NAMES_H

#include <stddef.h>

/* The edit distance: the least number of letters to insert, delete or replace in a to make b. It ignores letters of b after 63. */
size_t names_distance(const char *a, const char *b);

/*
 * Prints one line on stderr: the name does not exist, up to three similar names (or the three nearest), and
 * the command that lists all names.
 */
void names_unknown(const char *what, const char *name, const char *const *allowed, size_t count,
                   const char *all);

#endif
