/* SPDX-License-Identifier: MIT */
/* The same work at every ISA this CPU can run, one process each, drawn as bars. */
#ifndef LADDER_H
#define LADDER_H

#include <stddef.h>

#include "isakern.h"

/* The library's list of a kernel's variants, lowest ISA first; to be freed. */
struct isk_candidate *candidates_of(const char *kernel, size_t *count);

/*
 * Runs this program with argv, which must make it write its JSON summary, under ISAKERN_MAX_ISA=<isa> for
 * each ISA, and draws the sentences per second of each run.
 */
void ladder(char **argv);

#endif
