/* SPDX-License-Identifier: MIT */
/* Standard output for people: its width, its colours, tables and bars; and progress on stderr. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stddef.h>

enum paint { PLAIN, BOLD, DIM, GOOD, BAD, NOTE };

/* The sequence that switches a paint on; "" unless stdout is a terminal and NO_COLOR is unset. */
const char *paint(enum paint p);

/* The columns of the terminal, else COLUMNS, else 80; no limit if output is not a terminal and COLUMNS is unset. */
size_t terminal_width(void);

/* A mark if the locale is UTF-8, else its ASCII stand-in. */
const char *glyph(const char *utf8, const char *ascii);

/* Prints a bar of at most width columns for a fraction of 0 to 1. Returns the columns it took. */
size_t print_bar(double fraction, size_t width);

/* Prints text of at most width columns, cut with a mark. Returns the columns it took. */
size_t print_cut(const char *text, size_t width, enum paint p);
/* The same, padded to width. */
void print_field(const char *text, size_t width, enum paint p);
/*
 * Prints the end of a line of which `used` columns are taken: cut at the terminal's edge, or left out if that
 * is near.
 */
void print_rest(const char *text, size_t used, enum paint p);

/* Makes a column wide enough for the text. */
void widen(size_t *width, const char *text);

/* A line on stderr that the next one replaces; only if stderr is a terminal. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);

#endif
