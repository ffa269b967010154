/* SPDX-License-Identifier: MIT */
/* Functions of two f32 elements, with broadcasting. */
#include <string.h>

#include "integer.h"
#include "ops.h"
#include "shapes.h"
#include "strides.h"

typedef void zip_fn(float *y, const float *a, const float *b, size_t n);
typedef void row_fn(float *y, const float *x, const float *b, size_t rows, size_t cols, size_t ldy, size_t ldx);
typedef void scalar_fn(float *y, const float *x, size_t n, float alpha);

static const struct function {
	const char *name, *kernel;
	zip_fn *one, *many;
	row_fn *row;       /* b is a row; NULL: row by row */
	scalar_fn *scalar; /* b is one number; NULL: from an array of it */
	int commutes;
} functions[] = {
	{"Add", "add_f32", isk_add_f32, isk_parallel_add_f32, isk_add_row_f32, isk_add_scalar_f32, 1},
	{"Mul", "mul_f32", isk_mul_f32, isk_parallel_mul_f32, isk_mul_row_f32, isk_scale_f32, 1},
	{"Sub", "sub_f32", isk_sub_f32, isk_parallel_sub_f32, NULL, NULL, 0},
	{"Div", "div_f32", isk_div_f32, isk_parallel_div_f32, NULL, NULL, 0},
	{"Pow", "pow_f32", isk_pow_f32, isk_parallel_pow_f32, NULL, NULL, 0},
	{"Max", "maximum_f32", isk_maximum_f32, isk_parallel_maximum_f32, NULL, NULL, 1},
	{"Min", "minimum_f32", isk_minimum_f32, isk_parallel_minimum_f32, NULL, NULL, 1},
};

struct zip {
	const struct function *f;
	struct loops loops;
	size_t inner; /* loops that one call does */
	float *y;
	const float *a, *b;
};

enum { CHUNK = 256 };

/* The operand with stride 0 becomes an array of its one number. */
static void zip_number(const struct zip *z, float *y, const float *a, const float *b, size_t n, int a_is_number)
{
	float chunk[CHUNK];

	isk_fill_f32(chunk, n < CHUNK ? n : CHUNK, a_is_number ? *a : *b);
	for (size_t i = 0; i < n; i += CHUNK) {
		const size_t here = n - i < CHUNK ? n - i : CHUNK;

		if (a_is_number)
			z->f->one(y + i, chunk, b + i, here);
		else
			z->f->one(y + i, a + i, chunk, here);
	}
}

static void zip_inner(void *context, const size_t *at)
{
	const struct zip *z = context;
	const struct loops *l = &z->loops;
	const size_t last = l->rank - 1, n = l->dim[last];
	float *y = z->y + at[0];
	const float *a = z->a + at[1], *b = z->b + at[2];

	if (z->inner == 2)
		z->f->row(y, a, b, l->dim[last - 1], n, l->stride[0][last - 1], l->stride[1][last - 1]);
	else if (l->stride[1][last] == 0 && n > 1)
		zip_number(z, y, a, b, n, 1);
	else if (l->stride[2][last] == 0 && n > 1 && z->f->scalar)
		z->f->scalar(y, a, n, *b);
	else if (l->stride[2][last] == 0 && n > 1)
		zip_number(z, y, a, b, n, 0);
	else
		(many_threads ? z->f->many : z->f->one)(y, a, b, n);
}

static void run_zip(const struct step *s)
{
	struct zip z = *(const struct zip *)s->state;

	z.y = value_data(s->out[0]);
	z.a = value_data(s->in[0]);
	z.b = value_data(s->in[1]);
	loops_each(&z.loops, z.inner, zip_inner, &z);
}

/* Whether every element of v is read in the order of the output, or v is one number for each innermost loop. */
static int suits(const struct loops *l, size_t k)
{
	return l->dim[l->rank - 1] == 1 || l->stride[k][l->rank - 1] <= 1;
}

static void set_loops(struct zip *z, struct node *n, const struct value *a, const struct value *b)
{
	loops_of(&z->loops, (const struct value *[]){n->out[0], a, b}, 3);
}

/* The row kernels take a as rows and b as one row for all of them. */
static int is_by_row(const struct loops *l)
{
	const size_t last = l->rank - 1;

	return l->rank >= 2 && l->stride[1][last] == 1 && l->stride[2][last] == 1 && l->stride[2][last - 1] == 0 &&
	       l->stride[1][last - 1] >= l->dim[last];
}

/* The operand whose order in memory the output takes. */
static const struct value *model_of(const struct node *n, const struct value *a, const struct value *b)
{
	const int a_full = value_same_dims(a, n->out[0]), b_full = value_same_dims(b, n->out[0]);

	if (a_full && b_full)
		return !strides_are_dense(b) && strides_are_channels_last(b) ? b : a;
	return a_full ? a : b_full ? b : NULL;
}

/* Short rows with gaps take a call each: a copy without gaps, of all rows, is faster. */
static const struct value *without_gaps(struct plan *p, const struct node *n, const struct value *v,
                                        const struct loops *l)
{
	enum { SHORT = 32 };

	if (l->rank < 2 || l->dim[l->rank - 1] >= SHORT || !value_same_dims(v, n->out[0]) || strides_fill(v))
		return v;
	return plan_copy_like(p, n, v, n->out[0]);
}

static void plan_zip(struct plan *p, struct node *n)
{
	struct zip *z = graph_alloc(p->graph, 1, sizeof(*z));
	const struct value *a = n->in[0], *b = n->in[1], *model;
	struct step *s;

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (is_op(n, functions[i].name))
			z->f = &functions[i];
	if (z->f->commutes && !value_same_dims(a, n->out[0])) {
		a = n->in[1];
		b = n->in[0];
	}
	model = model_of(n, a, b);
	if (model)
		strides_like(n->out[0], model);
	set_loops(z, n, a, b);
	if (!suits(&z->loops, 1))
		a = value_same_dims(a, n->out[0]) ? plan_copy_like(p, n, a, n->out[0]) : plan_dense(p, n, a);
	if (!suits(&z->loops, 2))
		b = value_same_dims(b, n->out[0]) ? plan_copy_like(p, n, b, n->out[0]) : plan_dense(p, n, b);
	set_loops(z, n, a, b);
	a = without_gaps(p, n, a, &z->loops);
	b = without_gaps(p, n, b, &z->loops);
	set_loops(z, n, a, b);
	if (!suits(&z->loops, 1) || !suits(&z->loops, 2)) {
		/* An operand that is broadcast suits no order but that of the axes. */
		struct value *dense = value_new(p->graph, n, "dense", F32, n->out[0]->rank, n->out[0]->dim);

		strides_like(n->out[0], dense);
		a = plan_dense(p, n, a);
		b = plan_dense(p, n, b);
		set_loops(z, n, a, b);
	}
	plan_store(p, n->out[0]);
	z->inner = z->f->row && is_by_row(&z->loops) ? 2 : 1;
	s = plan_step(p, n, run_zip, z->f->kernel, z);
	step_in(s, a);
	step_in(s, b);
	step_out(s, n->out[0]);
	s->in_place = z->loops.stride[1][z->loops.rank - 1] == 1 && value_same_dims(a, n->out[0]) && strides_fill(a);
}

static void infer_binary(struct graph *g, struct node *n)
{
	if (n->in[0]->type != n->in[1]->type)
		refuse(n, "inputs of types %s and %s; both must have one", type_name(n->in[0]->type),
		       type_name(n->in[1]->type));
	infer_broadcast(g, n, 0, 2, n->in[0]->type);
}

static void plan_binary(struct plan *p, struct node *n)
{
	if (n->out[0]->type == F32)
		plan_zip(p, n);
	else
		plan_integer(p, n);
}

static void infer_pow(struct graph *g, struct node *n)
{
	check_type(n, 0, F32);
	check_type(n, 1, F32);
	infer_broadcast(g, n, 0, 2, F32);
}

/* A slope for each channel: the images have their channels last. */
static void infer_prelu(struct graph *g, struct node *n)
{
	check_type(n, 0, F32);
	check_type(n, 1, F32);
	if (n->in[0]->rank < 2 || !value_is_constant(n->in[1]) || value_count(n->in[1]) != n->in[0]->dim[1] ||
	    (n->in[1]->rank && n->in[1]->dim[0] != n->in[0]->dim[1]))
		refuse(n, "the slope must be a constant with a number for each of the %zu channels",
		       n->in[0]->rank > 1 ? n->in[0]->dim[1] : 0);
	infer_same(g, n);
}

static void run_prelu(const struct step *s)
{
	const size_t cols = s->in[0]->dim[1];

	KERNEL(prelu_f32)
	(value_data(s->out[0]), value_data(s->in[0]), value_data(s->in[1]), value_count(s->in[0]) / cols, cols, cols, cols);
}

static void plan_prelu(struct plan *p, struct node *n)
{
	const struct value *x = plan_channels_last(p, n, n->in[0]);
	struct step *s;

	strides_channels_last(n->out[0]);
	plan_store(p, n->out[0]);
	s = plan_step(p, n, run_prelu, "prelu_f32", NULL);
	step_in(s, x);
	step_in(s, n->in[1]);
	step_out(s, n->out[0]);
	s->in_place = 1;
}

const struct op binary_ops[] = {
	{"Add", 2, 2, infer_binary, plan_binary},
	{"Sub", 2, 2, infer_binary, plan_binary},
	{"Mul", 2, 2, infer_binary, plan_binary},
	{"Div", 2, 2, infer_binary, plan_binary},
	{"Max", 2, 2, infer_binary, plan_binary},
	{"Min", 2, 2, infer_binary, plan_binary},
	{"PRelu", 2, 2, infer_prelu, plan_prelu},
	{"Pow", 2, 2, infer_pow, plan_zip},
	{NULL, 0, 0, NULL, NULL},
};
