/* SPDX-License-Identifier: MIT */
/*
 * Parts of a Concat of channels are computed in their places, so that the Concat copies nothing: pixels of a part are
 * as far from each other as those of the whole. A Concat may itself be a part, as in networks whose layers see all
 * layers before.
 */
#include "pattern.h"
#include "plan.h"
#include "strides.h"

/* Whether the node can write pixels with gaps between them. */
static int writes_pixels(const struct node *n)
{
	return is_op(n, "Conv") || is_op(n, "ConvTranspose") || is_op(n, "Resize") || is_op(n, "Concat");
}

static int joins_channels(const struct node *n)
{
	return is_op(n, "Concat") && !n->guard && n->out[0]->rank == 4 && n->out[0]->type == F32 &&
	       value_count(n->out[0]) && axis_of(n, attribute_int(n, "axis", 0), 4) == 1;
}

/* Whether the inputs of a are the first of those of b, which has more. */
static int begins(const struct node *a, const struct node *b)
{
	if (a->ins >= b->ins)
		return 0;
	for (size_t i = 0; i < a->ins; i++)
		if (a->in[i] != b->in[i])
			return 0;
	return 1;
}

/* Lets a Concat begin with the longest earlier one that has its first inputs, instead of these. */
static void chain(struct graph *g, struct node *n)
{
	const struct node *longest = NULL;

	for (size_t i = 0; i < g->nodes && g->node[i] != n; i++)
		if (joins_channels(g->node[i]) && begins(g->node[i], n) && (!longest || longest->ins < g->node[i]->ins))
			longest = g->node[i];
	if (!longest)
		return;
	n->in[0] = longest->out[0];
	for (size_t i = longest->ins; i < n->ins; i++)
		n->in[i - longest->ins + 1] = n->in[i];
	n->ins -= longest->ins - 1;
}

void place_parts(struct graph *g)
{
	/* The last first, because a Concat that is chained does not have its first inputs any more. */
	for (size_t i = g->nodes; i-- > 0;)
		if (joins_channels(g->node[i]))
			chain(g, g->node[i]);
	for (size_t i = 0; i < g->nodes; i++) {
		const struct node *n = g->node[i];
		size_t start = 0;

		for (size_t j = 0; joins_channels(n) && j < n->ins; j++) {
			struct value *v = n->in[j];

			if (v->maker && !v->whole && !v->is_output && writes_pixels(v->maker) && !v->maker->guard &&
			    (!is_op(v->maker, "Concat") || joins_channels(v->maker))) {
				v->whole = n->out[0];
				v->start = start;
			}
			start += v->dim[1];
		}
	}
}

void place_store(struct plan *p, struct value *v)
{
	if (v->storage)
		return;
	strides_channels_last(v);
	if (!v->whole) {
		plan_store(p, v);
		return;
	}
	place_store(p, v->whole);
	plan_alias(v, v->whole, v->whole->stride, v->start * v->whole->stride[1]);
}
