/* SPDX-License-Identifier: MIT */
/* One line on stderr, without libc. */
#ifndef ISK_SAY_H
#define ISK_SAY_H

#include <stddef.h>

#include "prefix.h"

/* A line that begins with "isakern: ". It is written by one call, because text has room for the names of 32 ISAs. */
struct isk_line {
	size_t length;
	char text[720];
};

void isk_line_begin(struct isk_line *line);
void isk_line_add(struct isk_line *line, const char *text);
/* Adds a newline and writes. */
void isk_line_end(struct isk_line *line);

#endif
