/* SPDX-License-Identifier: MIT */
/* Finds which nodes of the graph compute the nodes of the file, after the passes. */
#ifndef ORIGIN_H
#define ORIGIN_H

#include "graph.h"

/* Keeps the node as it is now, as the next of g->file. */
void origin_keep(struct graph *g, const struct node *n);
/* For each of g->file, the node of the graph that computes it; NULL: none, because it was constant or is not needed. */
const struct node **origin_homes(struct graph *g);

#endif
