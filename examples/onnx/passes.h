/* SPDX-License-Identifier: MIT */
/* Passes over a graph: each finds one kind of pattern and makes fewer nodes of it, with the same results up to
 * rounding. */
#ifndef PASSES_H
#define PASSES_H

#include "graph.h"

typedef void pass_fn(struct graph *g);

pass_fn fuse_identity, fuse_activation, fuse_norm, fuse_affine, fuse_gate, fuse_scaled, fuse_weights8, fuse_attention,
	fuse_pool, fuse_post;

/* All of them, in their order. */
void passes_run(struct graph *g);

#endif
