/* SPDX-License-Identifier: MIT */
/* Gates of squeeze-and-excite blocks: x times a number for each channel that is computed from the means of x. */
#include "passes.h"
#include "pattern.h"

/* Whether g has a number for each channel of each image of x. */
static int is_gate(const struct value *gate, const struct value *x)
{
	if (gate->rank != x->rank || x->rank < 3 || gate->type != F32 || gate->dim[0] != x->dim[0] ||
	    gate->dim[1] != x->dim[1])
		return 0;
	for (size_t i = 2; i < x->rank; i++)
		if (gate->dim[i] != 1)
			return 0;
	return !value_same_dims(gate, x);
}

/* A new node of one input, in front of node i. */
static struct value *insert(struct graph *g, size_t i, const char *op, struct value *x, double a, double b)
{
	struct node *n = node_new(g, op, x->name, 1, 1);

	n->number[0] = a;
	n->number[1] = b;
	graph_set_input(g, n, 0, x);
	n->op->infer(g, n);
	graph_append(g, n);
	for (size_t j = g->nodes - 1; j > i; j--)
		g->node[j] = g->node[j - 1];
	g->node[i] = n;
	return n->out[0];
}

/* x + x * gate becomes x * (gate + 1). */
static int fuse_residual(struct graph *g, size_t i)
{
	struct node *n = g->node[i];

	for (size_t j = 0; is_op(n, "Add") && j < 2; j++) {
		const struct node *mul = made_by(n->in[j], "Mul");
		struct value *x = n->in[1 - j], *gate = beside(mul, x);
		struct node *product;

		if (!gate || mul->out[0]->uses != 1 || !is_gate(gate, x))
			continue;
		product = node_new(g, "Mul", n->name, 2, 1);
		graph_set_input(g, product, 0, x);
		graph_put(g, product, n->out[0]);
		graph_set_input(g, product, 1, insert(g, i, "Affine", gate, 1, 1));
		return 1;
	}
	return 0;
}

/* The mean of a * x + b is a * mean + b, and (a * x + b) * gate is x * (a * gate) + b * gate: the large a * x + b is
 * not needed. */
static int fuse_affine_before(struct graph *g, size_t i)
{
	struct node *n = g->node[i];
	struct value *y = n->out[0], *x;
	size_t pools = 0, gates = 0;

	if (!is_op(n, "Affine") || y->is_output)
		return 0;
	x = n->in[0];
	for (size_t k = 0; k < g->nodes; k++) {
		const struct node *user = g->node[k];

		if (is_op(user, "GlobalAveragePool") && user->in[0] == y)
			pools++;
		else if (is_op(user, "Mul") && beside(user, y) && is_gate(beside(user, y), y))
			gates++;
	}
	if (!gates || pools + gates != y->uses)
		return 0;
	for (size_t k = 0; k < g->nodes; k++) {
		struct node *user = g->node[k];

		if (is_op(user, "GlobalAveragePool") && user->in[0] == y) {
			struct value *mean = user->out[0], *moved;

			graph_set_input(g, user, 0, x);
			moved = insert(g, k + 1, "Affine", mean, n->number[0], n->number[1]);
			graph_replace(g, mean, moved);
			graph_set_input(g, moved->maker, 0, mean);
		} else if (is_op(user, "Mul") && beside(user, y)) {
			struct value *gate = beside(user, y), *out = user->out[0];
			struct node *product = node_new(g, "ScaleShift", user->name, 3, 1);

			graph_set_input(g, product, 0, x);
			graph_put(g, product, out);
			graph_set_input(g, product, 1, insert(g, k, "Affine", gate, n->number[0], 0));
			graph_set_input(g, product, 2, insert(g, k, "Affine", gate, n->number[1], 0));
			k += 2;
		}
	}
	graph_kill(n);
	return 1;
}

void fuse_gate(struct graph *g)
{
	for (size_t i = 0; i < g->nodes; i++) {
		if (!fuse_residual(g, i))
			fuse_affine_before(g, i);
	}
}
