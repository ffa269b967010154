/* SPDX-License-Identifier: MIT */
/* Attention, which fuse_attention.c makes of two products and the softmax between them. */
#include "matrix.h"
#include "ops.h"
#include "strides.h"

enum { IN_Q, IN_K /* width by keys */, IN_V, IN_MASK };

struct attention {
	size_t queries, keys, width, value_width, ldy, ldq, ldk, ldv, ldmask;
	float scale;
	struct loops heads;
	const struct step *step; /* while it runs */
};

static void attend(void *context, const size_t *at)
{
	const struct attention *t = context;
	const struct step *s = t->step;
	const float *mask = s->ins > IN_MASK ? (const float *)value_data(s->in[IN_MASK]) + at[1 + IN_MASK] : NULL;

	KERNEL(attention_f32)((float *)value_data(s->out[0]) + at[0], (const float *)value_data(s->in[IN_Q]) + at[1 + IN_Q],
	                      (const float *)value_data(s->in[IN_K]) + at[1 + IN_K], (const float *)value_data(s->in[IN_V]) + at[1 + IN_V],
	                      mask, t->queries, t->keys, t->width, t->value_width, t->ldy, t->ldq, t->ldk, t->ldv, t->ldmask, t->scale, 0,
	                      (int64_t)t->keys, 0);
}

static void run_attention(const struct step *s)
{
	struct attention *t = s->state;

	t->step = s;
	loops_each(&t->heads, 0, attend, t);
}

/* v, or a copy of it, with rows as the kernel takes them; if `turned`, its columns are the rows. */
static const struct value *as_rows(struct plan *p, const struct node *n, const struct value *v, int turned, size_t *ld)
{
	struct value like = *v;
	size_t order[RANK];
	int transposed;

	if (is_matrix(v, &transposed, ld) && transposed == turned)
		return v;
	for (size_t i = 0; i < v->rank; i++)
		order[i] = i;
	order[v->rank - 2] = v->rank - (turned ? 1 : 2);
	order[v->rank - 1] = v->rank - (turned ? 2 : 1);
	strides_by_order(&like, order);
	v = plan_copy_like(p, n, v, &like);
	*ld = v->dim[v->rank - (turned ? 2 : 1)];
	return v;
}

static void plan_attention(struct plan *p, struct node *n)
{
	struct attention *t = graph_alloc(p->graph, 1, sizeof(*t));
	const size_t values = n->ins;
	const struct value *in[4];
	struct value batch[LOOP_VALUES];
	const struct value *all[LOOP_VALUES];
	struct step *s;
	int transposed;

	t->scale = (float)n->alpha;
	in[IN_Q] = as_rows(p, n, n->in[IN_Q], 0, &t->ldq);
	in[IN_K] = as_rows(p, n, n->in[IN_K], 1, &t->ldk);
	in[IN_V] = as_rows(p, n, n->in[IN_V], 0, &t->ldv);
	if (values > IN_MASK) {
		in[IN_MASK] = as_rows(p, n, n->in[IN_MASK], 0, &t->ldmask);
		t->ldmask = in[IN_MASK]->dim[in[IN_MASK]->rank - 2] == 1 ? 0 : t->ldmask;
	}
	order_output(p->graph, n);
	is_matrix(n->out[0], &transposed, &t->ldy);
	t->queries = in[IN_Q]->dim[in[IN_Q]->rank - 2];
	t->width = in[IN_Q]->dim[in[IN_Q]->rank - 1];
	t->keys = in[IN_V]->dim[in[IN_V]->rank - 2];
	t->value_width = in[IN_V]->dim[in[IN_V]->rank - 1];
	for (size_t i = 0; i <= values; i++) {
		batch[i] = i ? *in[i - 1] : *n->out[0];
		batch[i].rank -= 2;
		all[i] = &batch[i];
	}
	loops_of(&t->heads, all, values + 1);
	plan_store(p, n->out[0]);
	s = plan_step(p, n, run_attention, "attention_f32", t);
	for (size_t i = 0; i < values; i++)
		step_in(s, in[i]);
	step_out(s, n->out[0]);
}

const struct op attention_ops[] = {
	{"Attention", 3, 4, NULL, plan_attention},
	{NULL, 0, 0, NULL, NULL},
};
