/* SPDX-License-Identifier: MIT */
/* A plan: the calls of kernels that compute a graph, and the memory in which values lie. */
#ifndef PLAN_H
#define PLAN_H

#include "graph.h"
#include "isakern_omp.h"

struct step;

typedef void run_fn(const struct step *s);

enum { STEP_VALUES = 6 };

struct step {
	run_fn *run;
	const char *kernel;      /* for people */
	const struct node *node; /* the node that it computes, or for which it copies an input */
	const struct value *in[STEP_VALUES], *out[STEP_VALUES];
	size_t ins, outs;
	void *state;               /* for run */
	const struct guard *guard; /* NULL: always run */
	int in_place;              /* out[0] may lie where in[0] lay: elements are read where and when they are written */
	double products;           /* multiplications of a product of matrices or a convolution; 0: it is neither */
	enum isk_type operand;     /* of these */
	double seconds;
};

struct plan {
	struct graph *graph;
	struct step *step;
	size_t steps, step_space;
	char *arena;
	size_t arena_bytes;
	void (*watch)(const struct plan *p, size_t done); /* called after each step of a run; NULL: not */
};

/* Plans all nodes of the graph and lays its values out in one arena. */
void plan_graph(struct plan *p, struct graph *g);
void plan_free(struct plan *p);
/* Computes the outputs of a node whose inputs are constant; they become constants. */
void plan_now(struct graph *g, struct node *n);
void plan_run(struct plan *p);
/* The same; adds the time of each step to its seconds. */
void plan_run_timed(struct plan *p);

/*
 * For operators. Adds a step with the node's state; inputs and outputs are added to it by step_in() and step_out(),
 * which count for the life of their storage.
 */
struct step *plan_step(struct plan *p, const struct node *n, run_fn *run, const char *kernel, void *state);
void step_in(struct step *s, const struct value *v);
void step_out(struct step *s, struct value *v);

/*
 * Memory for what a kernel makes of constant weights, `bytes` of it for each kind of packing; *is_packed: it is there
 * already. `how` are the parameters of the packing, beside the weights.
 */
void *plan_packed(struct plan *p, const struct value *weights, const char *kernel, const void *how, size_t how_bytes,
                  size_t bytes, int *is_packed);

/* Tells --profile how many products of which type each element of the step's output takes; step_out() was called. */
void step_products(struct step *s, enum isk_type operand, size_t each);

/* Gives v storage of its own; its strides are kept. */
void plan_store(struct plan *p, struct value *v);
/*
 * Finds values that can be written where a Concat of channels would copy them to, and gives each its `whole`. Their
 * nodes store them by place_store().
 */
void place_parts(struct graph *g);
/* Stores v, with its channels last: in its whole or by itself. */
void place_store(struct plan *p, struct value *v);
/* Makes out a view of the storage of `whole`, with the dims that it has. */
void plan_alias(struct value *out, const struct value *whole, const size_t *stride, size_t offset);

/* v, or a copy of it that is dense. */
const struct value *plan_dense(struct plan *p, const struct node *n, const struct value *v);
/* v, or a copy of it that is dense with its axis 1, the channels, last. */
const struct value *plan_channels_last(struct plan *p, const struct node *n, struct value *v);
/* A copy of v whose axes lie in memory in the order of `like`, a value of the same dims. */
const struct value *plan_copy_like(struct plan *p, const struct node *n, const struct value *v,
                                   const struct value *like);
/* Adds the step that copies `from` to `to`, which has the same dims and is stored. */
void plan_copy(struct plan *p, const struct node *n, struct value *to, const struct value *from);

/* Lays the storage of all values that are neither constant nor input nor output out in one arena. */
void arena_lay_out(struct plan *p);

/* Whether calls should use many threads. */
extern int many_threads;
/* The kernel, or its form for many threads. */
#define KERNEL(name) (many_threads ? isk_parallel_##name : isk_##name)
/* Ends the program if a kernel returned a status: it was called wrongly. */
void must(const struct step *s, int status);

#endif
