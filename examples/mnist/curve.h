/* SPDX-License-Identifier: MIT */
/* A curve in the terminal. */
#ifndef CURVE_H
#define CURVE_H

#include <stddef.h>

/*
 * Plots values over their index: each column shows the mean of its values, on a scale from 0 to the largest,
 * which is printed.
 */
void curve_show(const double *values, size_t count, const char *title, const char *below);

#endif
