/* SPDX-License-Identifier: MIT */
/*
 * A graph of ONNX whose shapes are all known: values, the nodes that compute them, and the storage in which they lie. A
 * value is a strided view of its storage, so that Reshape, Transpose, Slice, Squeeze and Expand need no kernel.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "isakern.h"
#include "onnx.pb-c.h"

enum { RANK = 8 };

enum {
	F32 = ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT,
	U8 = ONNX__TENSOR_PROTO__DATA_TYPE__UINT8,
	S8 = ONNX__TENSOR_PROTO__DATA_TYPE__INT8,
	S32 = ONNX__TENSOR_PROTO__DATA_TYPE__INT32,
	S64 = ONNX__TENSOR_PROTO__DATA_TYPE__INT64,
	BOOL = ONNX__TENSOR_PROTO__DATA_TYPE__BOOL,
	F16 = ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16,
	BF16 = ONNX__TENSOR_PROTO__DATA_TYPE__BFLOAT16, /* only inside a plan: see weights16.c */
	F64 = ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE,
};

enum place { PLACE_ARENA, PLACE_CONSTANT, PLACE_INPUT, PLACE_OUTPUT };

struct storage {
	char *data;
	size_t bytes;
	enum place place;
	size_t first, last;        /* the steps that write it first and use it last */
	size_t at;                 /* PLACE_ARENA: its offset in the arena */
	uint64_t key;              /* PLACE_CONSTANT: a hash of its bytes, or of all that they are made from; 0: none */
	struct storage *next;      /* PLACE_CONSTANT: of those that graph_own() was told */
	Onnx__TensorProto *tensor; /* PLACE_CONSTANT: whose bytes its data is; NULL: graph_alloc()'s */
	size_t users;              /* PLACE_CONSTANT: inputs and outputs that lie in it, counted by graph_sweep() */
	struct storage *same;      /* PLACE_ARENA: lies where this one lies, whose last use is the first of this */
};

struct value {
	const char *name;
	int type;
	size_t rank, dim[RANK];
	size_t stride[RANK], offset; /* where its elements are in the storage, in elements */
	struct storage *storage;     /* NULL until the node that makes it is planned; constants have it from the start */
	struct node *maker;          /* NULL for inputs and constants */
	size_t uses;                 /* inputs of nodes and outputs of the graph that are this value */
	int is_output;
	struct value *whole; /* the output of a Concat of channels in which it lies from channel `start` on; NULL: none */
	size_t start;
	struct value *became;              /* the value that graph_replace() has put in its place; NULL: none */
	const struct value *channels_last; /* a copy of it that plan_channels_last() has made, for other nodes */
	struct value *bf16;                /* a copy of it that weights16_input() has made, for other nodes */
};

/* A condition for a node to be computed: it is in a branch of an If that is decided only in a run. */
struct guard {
	struct value *condition;   /* one BOOL */
	int taken;                 /* the condition under which the branch is taken */
	const struct guard *outer; /* of the If itself */
	struct guard *next;        /* of all guards of the graph */
};

struct node {
	const struct op *op;
	const char *name;
	const Onnx__NodeProto *proto; /* its attributes; NULL if a pass made the node */
	struct value **in, **out;     /* in: NULL for an input that is left out */
	size_t ins, outs;
	double number[2];        /* the parameters of operators that passes make */
	double alpha;            /* MatMul: a factor of the product */
	enum isk_activation act; /* Conv, ConvTranspose, MatMul: the activation behind it */
	double act_a, act_b;
	const struct guard *guard; /* NULL: always computed */
	int dead;
};

struct store;

struct graph {
	const char *path;
	int64_t opset;
	struct node **node;
	size_t nodes, node_space;
	struct value **input, **output;
	int (*wants)(const char *output); /* which outputs are computed; NULL: all */
	const char **output_name;         /* as the file has them; passes may put other values in their place */
	size_t inputs, outputs;
	const struct guard *guard; /* of the nodes that are made now */
	struct guard *guards;      /* all of them */
	struct node *file;         /* the nodes of the file, Constant excepted, of the branches taken, as they were */
	size_t read, file_space;   /* how many */
	struct block *blocks;      /* the memory of all that the graph consists of */
	size_t constant_bytes;
	struct storage *own; /* constants whose data can be freed */
	int consumes;        /* the model is for this graph alone: tensors of it may be freed, once they are used up */
	struct store *store; /* where constants are kept for other graphs; NULL: nowhere */
	int takes_bf16;      /* products and convolutions take constant weights and their input as bf16 */
	size_t in_bf16;      /* those that do */
};

struct plan;

/* An operator: what it makes of its inputs' shapes, and by which kernels it is computed. */
struct op {
	const char *name;
	size_t least, most; /* number of inputs */
	void (*infer)(struct graph *g, struct node *n);
	void (*plan)(struct plan *p, struct node *n);
};

/* Prints one line that names the node, its operator and the reason, and exits with status 1. */
__attribute__((noreturn, format(printf, 2, 3))) void refuse(const struct node *n, const char *format, ...);

/* Memory that graph_free() frees, aligned to 64 bytes. */
void *graph_alloc(struct graph *g, size_t count, size_t size);
void graph_free(struct graph *g);

size_t type_bytes(int type); /* 0: a type that onnxrun has not */
const char *type_name(int type);

size_t value_count(const struct value *v);
size_t value_bytes(const struct value *v);
int value_is_constant(const struct value *v);
/* The first element. */
void *value_data(const struct value *v);
/* Element i of a dense integer or boolean value. */
int64_t value_int(const struct value *v, size_t i);
void value_set_int(const struct value *v, size_t i, int64_t x);
/* Whether v is a constant of one element of f32; then *x is set to it. */
int value_is_scalar(const struct value *v, double *x);
int value_same_dims(const struct value *a, const struct value *b);
/* The dims as "1x3x48x192". */
const char *value_dims(const struct value *v, char text[200]);

/* A new value; dims that make too many elements are refused in the name of node n. Its strides are dense. */
struct value *value_new(struct graph *g, const struct node *n, const char *name, int type, size_t rank,
                        const size_t *dim);
/* A new constant, whose elements are at data. */
struct value *constant_at(struct graph *g, const char *name, int type, size_t rank, const size_t *dim, void *data);
/* A new constant of zeros. */
struct value *constant_new(struct graph *g, const char *name, int type, size_t rank, const size_t *dim);

struct node *node_new(struct graph *g, const char *op, const char *name, size_t ins, size_t outs);
void graph_append(struct graph *g, struct node *n);
/* Says that the data of a constant is graph_alloc()'s or a tensor's, and nothing else is in it. */
void graph_own(struct graph *g, struct storage *s);
/* Frees the data of constants that no node needs any more, of which others were made. */
void graph_sweep(struct graph *g);
/* Frees the data of a constant, if it can be freed and no other node needs it: a kernel has packed it. */
void graph_used_up(struct graph *g, const struct value *v);
/* Counts again how often each value is used, and removes nodes that nothing needs. */
void graph_tidy(struct graph *g);
/* Takes the node out; graph_tidy() removes it. */
void graph_kill(struct node *n);
/* Sets input i, which may be one behind those that there are. */
void graph_set_input(struct graph *g, struct node *n, size_t i, struct value *v);
/* Puts `new` in the place of the node that makes v: it makes v from now on, and what else the old one made is not
 * needed. */
void graph_put(struct graph *g, struct node *new, struct value *v);
/* Exchanges the places of two nodes in the order of the graph. */
void graph_exchange(struct graph *g, struct node *a, struct node *b);
/* The only node that uses v; NULL if there are several, or v is an output of the graph. */
struct node *graph_only_user(const struct graph *g, const struct value *v);
/* Makes every node that uses `old` use `new`, outputs of the graph included. */
void graph_replace(struct graph *g, struct value *old, struct value *new);

/* Attributes. A missing one has the value `absent`. */
const Onnx__AttributeProto *attribute(const struct node *n, const char *name);
int64_t attribute_int(const struct node *n, const char *name, int64_t absent);
double attribute_float(const struct node *n, const char *name, double absent);
int attribute_is(const struct node *n, const char *name, const char *text); /* a missing one is no text */
/* A list of at most `most` integers, from the attribute or, if there is none, from constant input i; returns how many,
 * -1: missing. */
int parameter_ints(const struct node *n, const char *name, size_t i, int64_t *list, size_t most);
/* An axis, counted from the end if it is negative; refused if it is not below rank. */
size_t axis_of(const struct node *n, int64_t axis, size_t rank);

/* The operator of that name; NULL if there is none. */
const struct op *op_find(const char *name);
int is_op(const struct node *n, const char *name);

#endif
