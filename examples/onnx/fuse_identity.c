/* SPDX-License-Identifier: MIT */
/* Takes out nodes that change nothing: Identity, Cast to the same type, and products by 1. */
#include "passes.h"
#include "pattern.h"

static struct value *unchanged(const struct node *n)
{
	if (is_op(n, "Identity") || (is_op(n, "Cast") && n->in[0]->type == n->out[0]->type))
		return n->in[0];
	if (is_op(n, "Mul"))
		return beside_number(n, 1);
	if (is_op(n, "Div"))
		return beside_number(n, 1) == n->in[0] ? n->in[0] : NULL;
	return NULL;
}

void fuse_identity(struct graph *g)
{
	for (size_t i = 0; i < g->nodes; i++) {
		struct value *x = unchanged(g->node[i]);

		if (!x || !value_same_dims(x, g->node[i]->out[0]) || (g->node[i]->out[0]->is_output && !x->maker))
			continue;
		graph_replace(g, g->node[i]->out[0], x);
		graph_kill(g->node[i]);
	}
}
