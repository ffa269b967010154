/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "half.h"
#include "integer.h"
#include "ops.h"
#include "shapes.h"
#include "strides.h"

typedef int64_t pair_fn(int64_t a, int64_t b);
typedef int compare_fn(double a, double b);

/* Overflow wraps, as in ONNX Runtime; a division by 0 gives 0. */
static int64_t add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}
static int64_t sub(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}
static int64_t mul(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a * (uint64_t)b);
}
static int64_t quotient(int64_t a, int64_t b)
{
	return b == 0 ? 0 : b == -1 ? sub(0, a) : a / b;
}
static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}
static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}
/* A comparison of integers, and of floats. */
#define COMPARISON(name, operator)                                                                                     \
	static int64_t name(int64_t a, int64_t b)                                                                          \
	{                                                                                                                  \
		return a operator b;                                                                                           \
	}                                                                                                                  \
	static int name##_f(double a, double b)                                                                            \
	{                                                                                                                  \
		return a operator b;                                                                                           \
	}
COMPARISON(equal, ==)
COMPARISON(less, <)
COMPARISON(less_or_equal, <=)
COMPARISON(greater, >)
COMPARISON(greater_or_equal, >=)

static int64_t and (int64_t a, int64_t b)
{
	return a && b;
}
static int64_t or (int64_t a, int64_t b)
{
	return a || b;
}

static const struct function {
	const char *name;
	pair_fn *fn;
	compare_fn *compare; /* of f32 */
} functions[] = {
	{"Add", add, NULL},
	{"Sub", sub, NULL},
	{"Mul", mul, NULL},
	{"Div", quotient, NULL},
	{"Max", larger, NULL},
	{"Min", smaller, NULL},
	{"Equal", equal, equal_f},
	{"Less", less, less_f},
	{"LessOrEqual", less_or_equal, less_or_equal_f},
	{"Greater", greater, greater_f},
	{"GreaterOrEqual", greater_or_equal, greater_or_equal_f},
	{"And", and, NULL},
	{"Or", or, NULL},
};

struct each {
	const struct step *s;
	const struct function *f;
	struct loops loops;
};

static void pair_row(void *context, const size_t *at)
{
	const struct each *e = context;
	const struct value *y = e->s->out[0], *a = e->s->in[0], *b = e->s->in[1];
	const size_t last = e->loops.rank - 1;

	for (size_t i = 0; i < e->loops.dim[last]; i++) {
		const size_t i_y = at[0] + i * e->loops.stride[0][last], i_a = at[1] + i * e->loops.stride[1][last],
					 i_b = at[2] + i * e->loops.stride[2][last];

		if (a->type == F32)
			value_set_int(y, i_y,
			              e->f->compare((double)((const float *)value_data(a))[i_a],
			                            (double)((const float *)value_data(b))[i_b]));
		else
			value_set_int(y, i_y, e->f->fn(value_int(a, i_a), value_int(b, i_b)));
	}
}

static void run_pairs(const struct step *s)
{
	struct each e = {.s = s, .f = s->state};

	loops_of(&e.loops, (const struct value *[]){s->out[0], s->in[0], s->in[1]}, 3);
	loops_each(&e.loops, 1, pair_row, &e);
}

static void plan_pairs(struct plan *p, struct node *n, run_fn *run, void *state, const char *what)
{
	struct step *s;

	plan_store(p, n->out[0]);
	s = plan_step(p, n, run, what, state);
	for (size_t i = 0; i < n->ins; i++)
		step_in(s, n->in[i]);
	step_out(s, n->out[0]);
}

void plan_integer(struct plan *p, struct node *n)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (is_op(n, functions[i].name)) {
			if (n->in[0]->type == F32 ? !functions[i].compare : n->in[0]->type == F64 || n->in[0]->type == F16)
				refuse(n, "inputs of type %s are not supported", type_name(n->in[0]->type));
			plan_pairs(p, n, run_pairs, (void *)&functions[i], "integers");
		}
}

static void infer_compare(struct graph *g, struct node *n)
{
	if (n->in[0]->type != n->in[1]->type)
		refuse(n, "inputs of types %s and %s; both must have one", type_name(n->in[0]->type),
		       type_name(n->in[1]->type));
	infer_broadcast(g, n, 0, 2, BOOL);
}

/* A function of one element that gives a mask. */
static void run_not(const struct step *s)
{
	for (size_t i = 0; i < value_count(s->out[0]); i++)
		value_set_int(s->out[0], i, !value_int(s->in[0], i));
}

static void run_is_nan(const struct step *s)
{
	KERNEL(isnan_f32)(value_data(s->out[0]), value_data(s->in[0]), value_count(s->out[0]));
}

static void infer_mask(struct graph *g, struct node *n)
{
	check_type(n, 0, is_op(n, "Not") ? BOOL : F32);
	infer_output(g, n, 0, BOOL, n->in[0]->rank, n->in[0]->dim);
}

static void plan_mask(struct plan *p, struct node *n)
{
	n->in[0] = (struct value *)plan_dense(p, n, n->in[0]);
	plan_pairs(p, n, is_op(n, "Not") ? run_not : run_is_nan, NULL, is_op(n, "Not") ? "mask" : "isnan_f32");
}

/* Elements of 4 bytes. */
static void where_words(uint32_t *y, const uint8_t *mask, const uint32_t *a, const uint32_t *b, const struct loops *l)
{
	const size_t last = l->rank - 1, n = l->dim[last], by_mask = l->stride[1][last], by_a = l->stride[2][last],
				 by_b = l->stride[3][last];

	for (size_t i = 0; i < n; i++)
		y[i] = mask[i * by_mask] ? a[i * by_a] : b[i * by_b];
}

static void where_row(void *context, const size_t *at)
{
	const struct each *e = context;
	const struct loops *l = &e->loops;
	const size_t last = l->rank - 1, bytes = type_bytes(e->s->out[0]->type);
	char *y = (char *)value_data(e->s->out[0]) + at[0] * bytes;
	const uint8_t *mask = (const uint8_t *)value_data(e->s->in[0]) + at[1];
	const char *a = (const char *)value_data(e->s->in[1]) + at[2] * bytes,
			   *b = (const char *)value_data(e->s->in[2]) + at[3] * bytes;

	if (bytes == 4 && l->stride[0][last] == 1) {
		where_words((uint32_t *)(void *)y, mask, (const uint32_t *)(const void *)a, (const uint32_t *)(const void *)b,
		            l);
		return;
	}
	for (size_t i = 0; i < l->dim[last]; i++)
		memcpy(y + i * l->stride[0][last] * bytes,
		       mask[i * l->stride[1][last]] ? a + i * l->stride[2][last] * bytes : b + i * l->stride[3][last] * bytes,
		       bytes);
}

static void run_where(const struct step *s)
{
	struct each e = {.s = s};

	loops_of(&e.loops, (const struct value *[]){s->out[0], s->in[0], s->in[1], s->in[2]}, 4);
	loops_each(&e.loops, 1, where_row, &e);
}

static void infer_where(struct graph *g, struct node *n)
{
	check_type(n, 0, BOOL);
	if (n->in[1]->type != n->in[2]->type)
		refuse(n, "inputs of types %s and %s; both must have one", type_name(n->in[1]->type),
		       type_name(n->in[2]->type));
	infer_broadcast(g, n, 0, 3, n->in[1]->type);
}

static void plan_where(struct plan *p, struct node *n)
{
	plan_pairs(p, n, run_where, NULL, "select");
}

static void run_cast(const struct step *s)
{
	const struct value *y = s->out[0], *x = s->in[0];
	const size_t n = value_count(y);

	for (size_t i = 0; i < n; i++)
		if (y->type == F32)
			((float *)value_data(y))[i] = (float)value_int(x, i);
		else if (x->type == F32)
			value_set_int(y, i,
			              y->type == BOOL ? ((const float *)value_data(x))[i] != 0
			                              : (int64_t)((const float *)value_data(x))[i]);
		else
			value_set_int(y, i, y->type == BOOL ? value_int(x, i) != 0 : value_int(x, i));
}

static void infer_cast(struct graph *g, struct node *n)
{
	infer_output(g, n, 0, half_inside((int)attribute_int(n, "to", 0)), n->in[0]->rank, n->in[0]->dim);
	if (n->out[0]->type == F64 || n->in[0]->type == F64)
		refuse(n, "casts of type DOUBLE are not supported");
}

static void plan_cast(struct plan *p, struct node *n)
{
	if (n->in[0]->type == n->out[0]->type) {
		plan_alias(n->out[0], n->in[0], n->in[0]->stride, 0);
		return;
	}
	n->in[0] = (struct value *)plan_dense(p, n, n->in[0]);
	plan_pairs(p, n, run_cast, NULL, "cast");
}

const struct op integer_ops[] = {
	{"Equal", 2, 2, infer_compare, plan_integer},
	{"Less", 2, 2, infer_compare, plan_integer},
	{"LessOrEqual", 2, 2, infer_compare, plan_integer},
	{"Greater", 2, 2, infer_compare, plan_integer},
	{"GreaterOrEqual", 2, 2, infer_compare, plan_integer},
	{"And", 2, 2, infer_compare, plan_integer},
	{"Or", 2, 2, infer_compare, plan_integer},
	{"Not", 1, 1, infer_mask, plan_mask},
	{"IsNaN", 1, 1, infer_mask, plan_mask},
	{"Where", 3, 3, infer_where, plan_where},
	{"Cast", 1, 1, infer_cast, plan_cast},
	{NULL, 0, 0, NULL, NULL},
};
