/* SPDX-License-Identifier: MIT */
/* Constant and If, which elaborate.c takes apart, and Select, which stands for an If whose condition is computed. */
#include "ops.h"
#include "shapes.h"

/* Inputs: the condition, and the outputs of both branches. */
static void infer_select(struct graph *g, struct node *n)
{
	char text[2][200];

	if (n->in[1]->type != n->in[2]->type || !value_same_dims(n->in[1], n->in[2]))
		refuse(n, "the branches give outputs of %s and %s; both must have one shape and type",
		       value_dims(n->in[1], text[0]), value_dims(n->in[2], text[1]));
	infer_output(g, n, 0, n->in[1]->type, n->in[1]->rank, n->in[1]->dim);
}

/* One of two copies, each guarded as its branch is. */
static void plan_select(struct plan *p, struct node *n)
{
	struct guard *guard = graph_alloc(p->graph, 2, sizeof(*guard));

	plan_store(p, n->out[0]);
	for (int taken = 0; taken < 2; taken++) {
		struct step *s;

		guard[taken] = (struct guard){n->in[0], taken, n->guard, NULL};
		plan_copy(p, n, n->out[0], n->in[taken ? 1 : 2]);
		s = &p->step[p->steps - 1];
		s->guard = &guard[taken];
		step_in(s, n->in[0]);
	}
}

const struct op control_ops[] = {
	{"Constant", 0, 0, NULL, NULL},
	{"If", 1, 1, NULL, NULL},
	{NULL, 0, 0, NULL, NULL},
};

const struct op select_ops[] = {
	{"Select", 3, 3, infer_select, plan_select},
	{NULL, 0, 0, NULL, NULL},
};
