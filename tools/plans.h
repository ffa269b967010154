/* SPDX-License-Identifier: MIT */
/* Plans of products of given sizes: shown by why, measured by tune. */
#ifndef PLANS_H
#define PLANS_H

#include "command.h"

/*
 * Ends the program with one line if --library asks another library than the command's own, if the kernel has no plans, or
 * if one of `count` sizes, such as "24x24x24" (m, n, k), is none.
 */
void plans_check(const char *kernel, char *const *sizes, size_t count);

void plan_print(const char *kernel, const char *sizes);
/* The plans of `count` products. */
cJSON *plans_json(const char *kernel, char *const *sizes, size_t count);

/*
 * Times every ISA and way that can compute products of these sizes ("24x24x24,1x768x768"), and prints a profile with those
 * that are faster than the library's choice, or JSON.
 */
void plans_tune(const char *sizes, int quick, int json);

#endif
