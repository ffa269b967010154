/* SPDX-License-Identifier: MIT */
#ifndef NAMES_H
#define NAMES_H

#include <stddef.h>

/*
 * One line on stderr: there is no such name; up to three that are near, or the three that are nearest; and
 * what shows them all.
 */
void names_unknown(const char *what, const char *name, const char *const *allowed, size_t count,
                   const char *all);

#endif
