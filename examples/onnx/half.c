/* SPDX-License-Identifier: MIT */
#include "half.h"

#include "ops.h"
#include "strides.h"

int half_inside(int type)
{
	return type == F16 ? F32 : type;
}

struct value *half_constant(struct graph *g, struct value *v)
{
	struct value *wide;

	if (v->type != F16)
		return v;
	wide = constant_new(g, v->name, F32, v->rank, v->dim);
	isk_cvt_f16_f32(value_data(wide), value_data(v), value_count(v));
	graph_used_up(g, v);
	return wide;
}

static struct value *converted(struct graph *g, struct value *v, const char *op, int type)
{
	struct node *n = node_new(g, op, v->name, 1, 1);

	n->in[0] = v;
	n->out[0] = value_new(g, n, v->name, type, v->rank, v->dim);
	n->out[0]->maker = n;
	graph_append(g, n);
	return n->out[0];
}

struct value *half_input(struct graph *g, struct value *v)
{
	return v->type == F16 ? converted(g, v, "Widen", F32) : v;
}

struct value *half_output(struct graph *g, struct value *v, int type)
{
	return type == F16 && v->type == F32 ? converted(g, v, "Narrow", F16) : v;
}

static void run_widen(const struct step *s)
{
	KERNEL(cvt_f16_f32)(value_data(s->out[0]), value_data(s->in[0]), value_count(s->out[0]));
}

static void run_narrow(const struct step *s)
{
	KERNEL(cvt_f32_f16)(value_data(s->out[0]), value_data(s->in[0]), value_count(s->out[0]));
}

static void plan_half(struct plan *p, struct node *n)
{
	const int narrows = is_op(n, "Narrow");
	const struct value *x = plan_dense(p, n, n->in[0]);
	struct step *s;

	plan_store(p, n->out[0]);
	s = plan_step(p, n, narrows ? run_narrow : run_widen, narrows ? "cvt_f32_f16" : "cvt_f16_f32", NULL);
	step_in(s, x);
	step_out(s, n->out[0]);
}

const struct op half_ops[] = {
	{"Widen", 1, 1, NULL, plan_half},
	{"Narrow", 1, 1, NULL, plan_half},
	{NULL, 0, 0, NULL, NULL},
};
