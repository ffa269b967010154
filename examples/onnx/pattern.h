/* SPDX-License-Identifier: MIT */
/* The questions of passes about the nodes around a node. */
#ifndef PATTERN_H
#define PATTERN_H

#include <math.h>

#include "graph.h"

/* The node that makes v, if it is one of that operator. */
static inline struct node *made_by(const struct value *v, const char *op)
{
	return v && is_op(v->maker, op) ? v->maker : NULL;
}

/* If one input of a node is a constant of one number near x, the other input; else NULL. */
static inline struct value *beside_number(const struct node *n, double x)
{
	double number;

	for (size_t i = 0; n && n->ins == 2 && i < 2; i++)
		if (value_is_scalar(n->in[i], &number) && fabs(number - x) <= 1e-6 * fabs(x))
			return n->in[1 - i];
	return NULL;
}

/* The other of two inputs; NULL if neither is v. */
static inline struct value *beside(const struct node *n, const struct value *v)
{
	return !n || n->ins != 2 ? NULL : n->in[0] == v ? n->in[1] : n->in[1] == v ? n->in[0] : NULL;
}

/* Puts a node of one input in the place of the node that makes `last`. */
static inline struct node *fuse(struct graph *g, const char *op, struct value *x, struct value *last)
{
	struct node *n = node_new(g, op, last->maker->name, 1, 1);

	graph_set_input(g, n, 0, x);
	graph_put(g, n, last);
	return n;
}

/* Changes the graph at one node, and returns whether it did. */
typedef int fuse_fn(struct graph *g, struct node *n);

/* Calls fuse_one for each node, and begins again after each change. */
static inline void fuse_all(struct graph *g, fuse_fn *fuse_one)
{
	for (size_t i = 0; i < g->nodes;)
		i = fuse_one(g, g->node[i]) ? 0 : i + 1;
}

#endif
