/* SPDX-License-Identifier: MIT */
#ifndef NAMES_H
#define NAMES_H

#include <stddef.h>

/* One line on stderr: there is no such name, and the nearest that there is, or all if none is near. */
void names_unknown(const char *what, const char *name, const char *const *allowed, size_t count);

#endif
