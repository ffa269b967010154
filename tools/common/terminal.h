/* SPDX-License-Identifier: MIT */
/* Standard output as people see it: its width, its colours, tables and bars; and progress on stderr. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stddef.h>

enum paint { PLAIN, BOLD, DIM, GOOD, BAD, NOTE };

/* What switches a paint on; nothing unless stdout is a terminal and NO_COLOR is unset. */
const char *paint(enum paint p);

/* Columns of the terminal, else COLUMNS, else 80; no limit where there is neither. */
size_t terminal_width(void);

/* A mark if the locale is UTF-8, else its ASCII stand-in. */
const char *glyph(const char *utf8, const char *ascii);

/* A bar of at most width columns for a fraction of 0 to 1; the columns it took. */
size_t print_bar(double fraction, size_t width);

/* Text of at most width columns, cut with a mark; the columns it took. */
size_t print_cut(const char *text, size_t width, enum paint p);
/* The same, filled up to width. */
void print_field(const char *text, size_t width, enum paint p);
/* The rest of a line of which some columns are used: cut where the line ends, left out if that is near. */
void print_rest(const char *text, size_t used, enum paint p);

/* Makes room for the text in a column. */
void widen(size_t *width, const char *text);

/* A line on stderr that the next one replaces; only if stderr is a terminal. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);

#endif
