/* SPDX-License-Identifier: MIT */
/* Standard output as people see it: its width, its colours, tables and bars; and progress on stderr. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stddef.h>

enum paint { PLAIN, BOLD, DIM, GOOD, BAD, NOTE };

/* What switches a paint on; nothing unless stdout is a terminal and NO_COLOR is unset. */
const char *paint(enum paint p);

/* Columns of the terminal, COLUMNS, or 100 where there is none. */
size_t terminal_width(void);

/* A mark if the locale is UTF-8, else its ASCII stand-in. */
const char *glyph(const char *utf8, const char *ascii);

/* A bar of at most width columns for a fraction of 0 to 1; the columns it took. */
size_t print_bar(double fraction, size_t width);

/* Text of at most width columns, cut with a mark; the columns it took. */
size_t print_cut(const char *text, size_t width, enum paint p);
/* The same, filled up to width. */
void print_field(const char *text, size_t width, enum paint p);

/* A line on stderr that the next one replaces; only if stderr is a terminal. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);

#endif
