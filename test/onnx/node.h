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

struct op;

/* Fills out; or says, in a few words, why isakern does not offer that. */
typedef const char *node_fn(struct node *node, const struct op *op);

enum result { C_S32, C_F32, C_U8, C_S8, C_MASK };

struct op {
	const char *name; /* of ONNX */
	node_fn *run;
	const char *kernel; /* NULL for what only belongs to the graphs of others */
	void (*fn)(void);   /* to be cast to its type */
	int a_signed;       /* an 8-bit A */
	enum result c;      /* of an 8-bit A; C_MASK: 0 or 1, of any */
	enum isk_type type; /* of the first input, of a graph that is this node alone; 0: any graph */
	struct {
		const char *name; /* of an attribute */
		float absent;
	} value[2];
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
node_fn run_matmul, run_matmul_packed, run_matmul_batch, run_gemm, run_gemm_packed;
node_fn run_matmul_integer, run_qlinear_matmul;
node_fn run_map, run_map_scalar, run_zip, run_reduce, run_arg, run_softmax, run_norm;
node_fn run_conv, run_conv_integer, run_qlinear_conv;

#endif
