/* SPDX-License-Identifier: MIT */
/* A curve in the terminal. */
#ifndef CURVE_H
#define CURVE_H

#include <stddef.h>

/* Values over their numbers: the mean of each column's, on a scale from 0 to the largest, which stands beside it. */
void curve_show(const double *values, size_t count, const char *title, const char *below);

#endif
