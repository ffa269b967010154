/* SPDX-License-Identifier: MIT */
/* Functions of each element by itself. */
#include <math.h>
#include <string.h>

#include "ops.h"
#include "shapes.h"
#include "strides.h"

typedef void map_fn(float *y, const float *x, size_t n);

static const struct function {
	const char *name, *kernel;
	map_fn *one, *many;
} functions[] = {
#define MAP(name, kernel)                                                                                              \
	{                                                                                                                  \
		name, #kernel, isk_##kernel, isk_parallel_##kernel                                                             \
	}
	MAP("Relu", relu_f32),
	MAP("Sigmoid", sigmoid_f32),
	MAP("Tanh", tanh_f32),
	MAP("Exp", exp_f32),
	MAP("Log", log_f32),
	MAP("Sqrt", sqrt_f32),
	MAP("Reciprocal", recip_f32),
	MAP("Erf", erf_f32),
	MAP("Neg", neg_f32),
	MAP("Abs", abs_f32),
	MAP("Sin", sin_f32),
	MAP("Cos", cos_f32),
	MAP("Floor", floor_f32),
	MAP("Ceil", ceil_f32),
	MAP("Round", round_f32),
	MAP("Square", square_f32),
	MAP("HardSwish", hardswish_f32),
	MAP("Gelu", gelu_f32),
	MAP("Silu", silu_f32),
#undef MAP
};

/* A function with its parameters: of a table row, or one of those with parameters. */
struct map {
	struct loops loops;
	map_fn *fn;
	void (*with)(float *y, const float *x, size_t n, float a, float b);
	float a, b;
	float *y;
	const float *x;
};

static void leaky_relu(float *y, const float *x, size_t n, float a, float b)
{
	(void)b;
	KERNEL(leaky_relu_f32)(y, x, n, a);
}

static void clip(float *y, const float *x, size_t n, float a, float b)
{
	KERNEL(clip_f32)(y, x, n, a, b);
}

static void affine(float *y, const float *x, size_t n, float a, float b)
{
	KERNEL(axpb_f32)(y, x, n, a, b);
}

/* ONNX's: min(max(a * x + b, 0), 1). */
static void hard_sigmoid(float *y, const float *x, size_t n, float a, float b)
{
	KERNEL(axpb_f32)(y, x, n, a, b);
	KERNEL(clip_f32)(y, y, n, 0, 1);
}

static void map_row(void *context, const size_t *at)
{
	const struct map *m = context;
	const size_t n = m->loops.dim[m->loops.rank - 1];

	if (m->with)
		m->with(m->y + at[0], m->x + at[1], n, m->a, m->b);
	else
		m->fn(m->y + at[0], m->x + at[1], n);
}

static void run_map(const struct step *s)
{
	struct map m = *(const struct map *)s->state;

	m.y = value_data(s->out[0]);
	m.x = value_data(s->in[0]);
	loops_each(&m.loops, 1, map_row, &m);
}

static void plan_elements(struct plan *p, struct node *n, struct map *m, const char *kernel)
{
	const struct value *x = n->in[0];
	struct step *s;

	if (x->type != F32)
		check_type(n, 0, F32);
	strides_like(n->out[0], x);
	loops_of(&m->loops, (const struct value *[]){n->out[0], x}, 2);
	if (m->loops.stride[1][m->loops.rank - 1] != 1 && m->loops.dim[m->loops.rank - 1] != 1) {
		x = plan_dense(p, n, x);
		strides_like(n->out[0], x);
		loops_of(&m->loops, (const struct value *[]){n->out[0], x}, 2);
	}
	plan_store(p, n->out[0]);
	s = plan_step(p, n, run_map, kernel, m);
	step_in(s, x);
	step_out(s, n->out[0]);
	s->in_place = m->loops.rank == 1;
}

static void infer_float(struct graph *g, struct node *n)
{
	check_type(n, 0, F32);
	infer_same(g, n);
}

static void plan_map(struct plan *p, struct node *n)
{
	struct map *m = graph_alloc(p->graph, 1, sizeof(*m));

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (is_op(n, functions[i].name)) {
			m->fn = many_threads ? functions[i].many : functions[i].one;
			plan_elements(p, n, m, functions[i].kernel);
			return;
		}
	if (is_op(n, "Affine")) {
		*m = (struct map){.with = affine, .a = (float)n->number[0], .b = (float)n->number[1]};
		plan_elements(p, n, m, "axpb_f32");
	} else if (is_op(n, "LeakyRelu")) {
		*m = (struct map){.with = leaky_relu, .a = (float)attribute_float(n, "alpha", 0.01)};
		plan_elements(p, n, m, "leaky_relu_f32");
	} else {
		*m = (struct map){.with = hard_sigmoid,
		                  .a = (float)attribute_float(n, "alpha", 0.2),
		                  .b = (float)attribute_float(n, "beta", 0.5)};
		plan_elements(p, n, m, "axpb_f32, clip_f32");
	}
}

void clip_bounds(const struct node *n, double *low, double *high)
{
	*low = attribute_float(n, "min", -(double)INFINITY);
	*high = attribute_float(n, "max", (double)INFINITY);
	if (n->ins > 1 && n->in[1] && !value_is_scalar(n->in[1], low))
		refuse(n, "min must be a constant");
	if (n->ins > 2 && n->in[2] && !value_is_scalar(n->in[2], high))
		refuse(n, "max must be a constant");
}

/* A bound that is computed makes a Max of the Clip, if there is no other one. */
static void infer_clip(struct graph *g, struct node *n)
{
	double high = (double)INFINITY;

	infer_float(g, n);
	if (n->ins < 2 || !n->in[1] || value_is_constant(n->in[1]))
		return;
	if (value_count(n->in[1]) != 1 || n->in[1]->type != F32 ||
	    (n->ins > 2 && n->in[2] && !(value_is_scalar(n->in[2], &high) && isinf(high))))
		refuse(n, "min must be one number, and max a constant or, if min is computed, missing");
	n->op = op_find("Max");
	n->ins = 2;
}

static void plan_clip(struct plan *p, struct node *n)
{
	struct map *m = graph_alloc(p->graph, 1, sizeof(*m));
	double low, high;

	clip_bounds(n, &low, &high);
	*m = (struct map){.with = clip, .a = (float)low, .b = (float)high};
	plan_elements(p, n, m, "clip_f32");
}

static void plan_identity(struct plan *p, struct node *n)
{
	(void)p;
	plan_alias(n->out[0], n->in[0], n->in[0]->stride, 0);
}

const struct op elementwise_ops[] = {
	{"Relu", 1, 1, infer_float, plan_map},
	{"Sigmoid", 1, 1, infer_float, plan_map},
	{"Tanh", 1, 1, infer_float, plan_map},
	{"Exp", 1, 1, infer_float, plan_map},
	{"Log", 1, 1, infer_float, plan_map},
	{"Sqrt", 1, 1, infer_float, plan_map},
	{"Reciprocal", 1, 1, infer_float, plan_map},
	{"Erf", 1, 1, infer_float, plan_map},
	{"Neg", 1, 1, infer_float, plan_map},
	{"Abs", 1, 1, infer_float, plan_map},
	{"Sin", 1, 1, infer_float, plan_map},
	{"Cos", 1, 1, infer_float, plan_map},
	{"Floor", 1, 1, infer_float, plan_map},
	{"Ceil", 1, 1, infer_float, plan_map},
	{"Round", 1, 1, infer_float, plan_map},
	{"HardSwish", 1, 1, infer_float, plan_map},
	{"LeakyRelu", 1, 1, infer_float, plan_map},
	{"HardSigmoid", 1, 1, infer_float, plan_map},
	{"Clip", 1, 3, infer_clip, plan_clip},
	{"Identity", 1, 1, infer_same, plan_identity},
	{NULL, 0, 0, NULL, NULL},
};

/* Operators that passes make. */
const struct op fused_elementwise_ops[] = {
	{"Gelu", 1, 1, infer_float, plan_map},
	{"Silu", 1, 1, infer_float, plan_map},
	{"Square", 1, 1, infer_float, plan_map},
	{"Affine", 1, 1, infer_float, plan_map},
	{NULL, 0, 0, NULL, NULL},
};
