/* SPDX-License-Identifier: MIT */
/* One operation of a graph, and who computes it on which kernel. */
#ifndef NODE_H
#define NODE_H

#include <stdint.h>

#include "tensor.h"

#define NODE_INPUTS 9

struct node {
	const Onnx__NodeProto *proto;
	const struct tensor *in[NODE_INPUTS]; /* NULL where left out */
	struct tensor out;
};

/* Fills out; or says, in a few words, why isakern does not offer that. */
typedef const char *node_fn(struct node *node);

struct op {
	const char *name;   /* of ONNX */
	const char *kernel; /* NULL for what only belongs to the graphs of others */
	node_fn *run;
};

extern const struct op ops[];
extern const size_t op_count;

int64_t node_int(const struct node *node, const char *name, int64_t absent);
float node_float(const struct node *node, const char *name, float absent);
/* The list of that name, of count numbers; or each of them is absent. */
void node_ints(const struct node *node, const char *name, size_t count, size_t *list, size_t absent);
/* NULL where there is none. */
const Onnx__AttributeProto *node_attribute(const struct node *node, const char *name);

/* Memory of so many bytes, or a message and exit. */
void *must_alloc(size_t bytes);
/* A status that must not be. */
void must(int status, const char *kernel);

node_fn run_constant, run_transpose;
node_fn run_matmul, run_gemm;

#endif
