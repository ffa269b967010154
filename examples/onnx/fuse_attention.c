/* SPDX-License-Identifier: MIT */
/* softmax(factor * Q K^T + mask) V, which files spell out in two products, becomes one kernel without scores in memory. */
#include "passes.h"
#include "pattern.h"
#include "post.h"

/* Whether n is a product of two matrices that are computed, with nothing behind it but its factor and a sum. */
static int is_product(const struct node *n)
{
	return is_op(n, "MatMul") && n->act == ISK_ACT_NONE && !value_is_constant(n->in[IN_WEIGHTS]) && (n->ins <= IN_BIAS || !n->in[IN_BIAS]);
}

/* The value that is added to the product, or NULL. */
static struct value *added_to(const struct node *n)
{
	return n->ins > IN_OTHER ? n->in[IN_OTHER] : NULL;
}

static int is_last_axis(const struct graph *g, const struct node *softmax)
{
	const size_t rank = softmax->in[0]->rank, axis = axis_of(softmax, attribute_int(softmax, "axis", g->opset < 13 ? 1 : -1), rank);

	return rank >= 2 && axis == rank - 1;
}

/* Whether v, added to scores, has a number for each key; for all queries, or for each. */
static int is_mask(const struct value *v, const struct value *scores)
{
	return v && v->type == F32 && v->rank >= 2 && v->rank <= scores->rank && v->dim[v->rank - 1] == scores->dim[scores->rank - 1];
}

static int fuse_softmax(struct graph *g, const struct node *softmax)
{
	struct value *scores = softmax->in[0], *mask = NULL;
	struct node *second = graph_only_user(g, softmax->out[0]), *attention;
	const struct node *first = scores->maker;

	if (!is_last_axis(g, softmax) || !is_product(second) || added_to(second) || second->alpha != 1 ||
	    second->in[IN_X] != softmax->out[0] || second->out[0]->rank != scores->rank || scores->uses != 1)
		return 0;
	for (size_t i = 0; i < 2 && is_op(first, "Add"); i++) {
		const struct value *product = first->in[i];

		if (is_product(product->maker) && !added_to(product->maker) && value_same_dims(product, scores)) {
			mask = first->in[1 - i];
			first = product->maker;
		}
	}
	if (!is_product(first) || first->out[0]->uses != 1)
		return 0;
	mask = mask ? mask : added_to(first);
	if (mask && !is_mask(mask, scores))
		return 0;
	attention = node_new(g, "Attention", softmax->name, mask ? 4 : 3, 1);
	attention->alpha = first->alpha;
	graph_set_input(g, attention, 0, first->in[IN_X]);
	graph_set_input(g, attention, 1, first->in[IN_WEIGHTS]);
	graph_set_input(g, attention, 2, second->in[IN_WEIGHTS]);
	if (mask)
		graph_set_input(g, attention, 3, mask);
	graph_put(g, attention, second->out[0]);
	graph_tidy(g);
	return 1;
}

static int fuse_one(struct graph *g, struct node *n)
{
	return is_op(n, "Softmax") && fuse_softmax(g, n);
}

void fuse_attention(struct graph *g)
{
	fuse_all(g, fuse_one);
}
