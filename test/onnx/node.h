/* SPDX-License-Identifier: MIT */
/* One operation of a graph, and the function that computes it on one kernel. */
#ifndef NODE_H
#define NODE_H

#include <stdint.h>

#include "tensor.h"

#define NODE_INPUTS 9

struct node {
	const Onnx__NodeProto *proto;
	const struct tensor *in[NODE_INPUTS]; /* NULL if left out */
	struct tensor out;
};

struct op;

/* Computes node->out; otherwise returns, in a few words, why isakern does not offer the operation. */
typedef const char *node_fn(struct node *node, const struct op *op);

enum result { C_S32, C_F32, C_U8, C_S8, C_MASK };

struct op {
	const char *name; /* ONNX's name */
	node_fn *run;
	const char *kernel; /* NULL: an operation that only other graphs contain */
	void (*fn)(void);   /* the kernel, to be cast to its type */
	int a_signed;       /* an 8-bit A is signed */
	enum result c;      /* result for an 8-bit A; C_MASK: 0 or 1, for any A */
	enum isk_type type; /* type of the first input of a graph with this node alone; 0: any graph */
	struct {
		const char *name; /* ONNX's name of an attribute */
		float absent;
	} value[2];
};

extern const struct op ops[];
extern const size_t op_count;

int64_t node_int(const struct node *node, const char *name, int64_t absent);
float node_float(const struct node *node, const char *name, float absent);
/* Reads the attribute, a list of count numbers; if it is missing, all are `absent`. */
void node_ints(const struct node *node, const char *name, size_t count, size_t *list, size_t absent);
/* NULL if there is no such attribute. */
const Onnx__AttributeProto *node_attribute(const struct node *node, const char *name);

/* Allocates memory, or exits with a message. */
void *must_alloc(size_t bytes);
/* Exits with a message unless the status is 0. */
void must(int status, const char *kernel);

node_fn run_constant, run_transpose;
node_fn run_matmul, run_matmul_packed, run_matmul_batch, run_gemm, run_gemm_packed;
node_fn run_matmul_integer, run_qlinear_matmul;
node_fn run_map, run_map_scalar, run_zip, run_reduce, run_arg, run_softmax, run_norm;
node_fn run_conv, run_conv_integer, run_qlinear_conv;

#endif
