/* SPDX-License-Identifier: MIT */
/* Passes over a graph: each finds one pattern and makes fewer nodes of it, with the same results up to rounding. */
#ifndef PASSES_H
#define PASSES_H

#include "graph.h"

/* All of them, in their order. */
void passes_run(struct graph *g);

#endif
