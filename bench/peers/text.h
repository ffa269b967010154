/* SPDX-License-Identifier: MIT */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>

#include "terminal.h"

/* Prints words in lines of less than 80 columns, from column `at` on; further lines are indented. */
void print_wrapped(const char *text, size_t at, size_t indent, enum paint p);

#endif
