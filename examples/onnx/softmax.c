/* SPDX-License-Identifier: MIT */
#include "ops.h"
#include "shapes.h"
#include "strides.h"

struct softmax {
	size_t rows, cols, ldx; /* by rows, or outer, n and inner */
};

static void run_rows(const struct step *s)
{
	const struct softmax *t = s->state;

	KERNEL(softmax_f32)(value_data(s->out[0]), value_data(s->in[0]), t->rows, t->cols, t->ldx, t->ldx);
}

static void run_axis(const struct step *s)
{
	const struct softmax *t = s->state;

	KERNEL(softmax_axis_f32)(value_data(s->out[0]), value_data(s->in[0]), t->rows, t->cols, t->ldx);
}

static size_t softmax_axis(const struct graph *g, const struct node *n)
{
	const struct value *x = n->in[0];
	const size_t axis = axis_of(n, attribute_int(n, "axis", g->opset < 13 ? 1 : -1), x->rank);

	/* Before version 13, all axes from this one on were one. */
	for (size_t i = axis + 1; i < x->rank && g->opset < 13; i++)
		if (x->dim[i] != 1)
			refuse(n, "axis %zu of %zu; before version 13 of the operators the last one is allowed", axis, x->rank);
	return axis;
}

static void infer_softmax(struct graph *g, struct node *n)
{
	check_type(n, 0, F32);
	softmax_axis(g, n);
	infer_same(g, n);
}

static void plan_softmax(struct plan *p, struct node *n)
{
	struct softmax *t = graph_alloc(p->graph, 1, sizeof(*t));
	const size_t axis = softmax_axis(p->graph, n);
	const struct value *x = n->in[0];
	struct step *s;

	if (x->dim[axis] != 1 && x->stride[axis] == 1 && strides_fill(x)) {
		/* The axis lies last in memory: rows, in whatever order. */
		*t = (struct softmax){value_count(x) / x->dim[axis], x->dim[axis], x->dim[axis]};
		strides_like(n->out[0], x);
		plan_store(p, n->out[0]);
		s = plan_step(p, n, run_rows, "softmax_f32", t);
	} else {
		x = plan_dense(p, n, x);
		*t = (struct softmax){1, x->dim[axis], 1};
		for (size_t i = 0; i < x->rank; i++)
			*(i < axis ? &t->rows : &t->ldx) *= i == axis ? 1 : x->dim[i];
		plan_store(p, n->out[0]);
		s = plan_step(p, n, run_axis, "softmax_axis_f32", t);
	}
	step_in(s, x);
	step_out(s, n->out[0]);
	s->in_place = s->run == run_rows;
}

const struct op softmax_ops[] = {
	{"Softmax", 1, 1, infer_softmax, plan_softmax},
	{NULL, 0, 0, NULL, NULL},
};
