/* SPDX-License-Identifier: MIT */
/* Names of values in a graph of the file and its subgraphs, and the walk through the nodes. */
#ifndef ELABORATE_H
#define ELABORATE_H

#include "graph.h"

struct scope;

/* A scope finds names of the outer one as well; outer may be NULL. */
struct scope *scope_new(const struct scope *outer);
void scope_free(struct scope *s);
void scope_add(struct scope *s, const char *name, struct value *v);
/* NULL if there is no such name. */
struct value *scope_find(const struct scope *s, const char *name);

/* Appends the nodes of the proto to g, except those that can be computed now. */
void elaborate(struct graph *g, const Onnx__GraphProto *proto, struct scope *names);

#endif
