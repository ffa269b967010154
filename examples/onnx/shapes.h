/* SPDX-License-Identifier: MIT */
/* Functions by which operators infer the shapes of their outputs. */
#ifndef SHAPES_H
#define SHAPES_H

#include "graph.h"

/* Output i of the node, new, with this type and these dims. */
struct value *infer_output(struct graph *g, struct node *n, size_t i, int type, size_t rank, const size_t *dim);
/* Output 0 has the type and dims of input 0. */
void infer_same(struct graph *g, struct node *n);
/* Output 0 has the dims to which inputs first to last - 1 are broadcast. */
struct value *infer_broadcast(struct graph *g, struct node *n, size_t first, size_t last, int type);
/* Output 0 and input 0 are the same elements, dense, with other dims. */
void infer_view(struct graph *g, struct node *n, size_t rank, const size_t *dim);
void plan_reshape(struct plan *p, struct node *n);
/* Refuses an input that is of no allowed type. */
void check_type(const struct node *n, size_t i, int type);

#endif
