/* SPDX-License-Identifier: MIT */
/*
 * Factors and terms of whole channels, a * x + b, become part of the weights and bias of the convolution or product
 * before them, or of those behind them. Batch norms, learned scalars and biases are of this kind.
 */
#include <string.h>

#include "passes.h"
#include "pattern.h"
#include "post.h"

/* a[c] * x + b[c] for channel c; one of each for all channels if count is 1. */
struct affine {
	struct value *x;
	size_t count;
	const float *a, *b; /* NULL: 1, 0 */
	float sign;         /* of b */
	float numbers[2];   /* of an Affine */
};

/* Whether v, beside x, is constant: one number, or one for each channel along the axis. */
static int is_by_channel(const struct value *v, const struct value *x, size_t axis)
{
	const size_t from_end = x->rank - axis;

	if (!value_is_constant(v) || v->type != F32 || v->rank > x->rank)
		return 0;
	return value_count(v) == 1 ||
	       (v->rank >= from_end && value_count(v) == x->dim[axis] && v->dim[v->rank - from_end] == x->dim[axis]);
}

static int affine_of(const struct node *n, size_t axis, struct affine *f)
{
	const struct value *v;

	*f = (struct affine){.sign = 1, .count = 1};
	if (is_op(n, "Affine")) {
		f->x = n->in[0];
		f->numbers[0] = (float)n->number[0];
		f->numbers[1] = (float)n->number[1];
		f->a = &f->numbers[0];
		f->b = &f->numbers[1];
		return 1;
	}
	if (is_op(n, "ScaleShift")) {
		f->x = n->in[0];
		f->count = f->x->dim[1];
		if (axis != 1 || !value_is_constant(n->in[1]) || value_count(n->in[1]) != f->count)
			return 0;
		if (n->ins > 2 && n->in[2] && !value_is_constant(n->in[2]))
			return 0;
		f->a = value_data(n->in[1]);
		f->b = n->ins > 2 && n->in[2] ? value_data(n->in[2]) : NULL;
		return 1;
	}
	if (!is_op(n, "Add") && !is_op(n, "Sub") && !is_op(n, "Mul") && !is_op(n, "Div"))
		return 0;
	f->x = n->in[0];
	v = n->in[1];
	if ((is_op(n, "Add") || is_op(n, "Mul")) && value_is_constant(n->in[0])) {
		f->x = n->in[1];
		v = n->in[0];
	}
	if (f->x->type != F32 || !value_same_dims(f->x, n->out[0]) || value_is_constant(f->x) || axis >= f->x->rank ||
	    !is_by_channel(v, f->x, axis))
		return 0;
	f->count = value_count(v);
	if (is_op(n, "Add") || is_op(n, "Sub")) {
		f->b = value_data(v);
		f->sign = is_op(n, "Sub") ? -1 : 1;
	} else if (is_op(n, "Mul"))
		f->a = value_data(v);
	else {
		if (f->count != 1)
			return 0;
		f->numbers[0] = 1 / *(const float *)value_data(v);
		f->a = &f->numbers[0];
	}
	return 1;
}

static double a_of(const struct affine *f, size_t c)
{
	return f->a ? (double)f->a[f->count == 1 ? 0 : c] : 1;
}

static double b_of(const struct affine *f, size_t c)
{
	return f->b ? (double)(f->sign * f->b[f->count == 1 ? 0 : c]) : 0;
}

/* Whether the node multiplies by constant weights; then *channels of its output lie along *axis. */
static int has_weights(const struct node *n, size_t *axis, size_t *channels)
{
	if (is_op(n, "MatMul") && value_is_constant(n->in[IN_WEIGHTS]) && n->in[IN_WEIGHTS]->rank == 2)
		*axis = n->out[0]->rank - 1;
	else if (is_op(n, "Conv") || is_op(n, "ConvTranspose"))
		*axis = 1;
	else
		return 0;
	*channels = n->out[0]->dim[*axis];
	return 1;
}

static struct value *copy_constant(struct graph *g, const struct value *v)
{
	struct value *to = constant_new(g, v->name, v->type, v->rank, v->dim);

	memcpy(value_data(to), value_data(v), value_bytes(v));
	return to;
}

/* The bias, or a new one of zeros, as a copy that can be changed. */
static float *own_bias(struct graph *g, struct node *n, size_t channels)
{
	struct value *bias;

	if (n->ins > IN_BIAS && n->in[IN_BIAS])
		bias = copy_constant(g, n->in[IN_BIAS]);
	else
		bias = constant_new(g, "bias", F32, 1, &channels);
	graph_set_input(g, n, IN_BIAS, bias);
	return value_data(bias);
}

/* The output channel of weight i: they are the first axis of a Conv, the second of a ConvTranspose, for each group of input
 * channels, and the last of a MatMul. */
static size_t out_channel(const struct node *n, const struct value *w, size_t i)
{
	const size_t inner = value_count(w) / w->dim[0], groups = (size_t)attribute_int(n, "group", 1);

	if (!is_op(n, "ConvTranspose"))
		return is_op(n, "Conv") ? i / inner : i % w->dim[1];
	return i / inner / (w->dim[0] / groups) * w->dim[1] + i % inner / (inner / w->dim[1]);
}

static void scale_weights(struct graph *g, struct node *n, const struct affine *f)
{
	struct value *w = copy_constant(g, n->in[IN_WEIGHTS]);
	float *to = value_data(w);

	for (size_t i = 0; i < value_count(w); i++)
		to[i] = (float)((double)to[i] * a_of(f, out_channel(n, w, i)));
	graph_set_input(g, n, IN_WEIGHTS, w);
}

/* Into the weights before: n has weights, its only user is affine. */
static int fold_back(struct graph *g, struct node *n)
{
	struct affine f;
	struct node *user;
	size_t axis, channels;
	float *bias;

	if (!has_weights(n, &axis, &channels) || n->act || (n->ins > IN_OTHER && n->in[IN_OTHER]))
		return 0;
	user = graph_only_user(g, n->out[0]);
	if (!user || !affine_of(user, axis, &f) || f.x != n->out[0])
		return 0;
	if (f.a)
		scale_weights(g, n, &f);
	bias = own_bias(g, n, channels);
	for (size_t c = 0; c < channels; c++)
		bias[c] = (float)((double)bias[c] * a_of(&f, c) + b_of(&f, c));
	graph_replace(g, user->out[0], n->out[0]);
	graph_kill(user);
	return 1;
}

/* Whether the node can take a * x + b of its input into its weights. Padding would be 0 where it should be b. */
static int can_take(const struct node *n, const struct value *x, const struct affine *f)
{
	const Onnx__AttributeProto *pads;
	size_t axis, channels;

	if (!has_weights(n, &axis, &channels) || n->in[IN_X] != x || (n->ins > IN_OTHER && n->in[IN_OTHER] == x))
		return 0;
	if (!is_op(n, "Conv"))
		return f->count == 1 && is_op(n, "MatMul");
	pads = attribute(n, "pads");
	for (size_t i = 0; pads && i < pads->n_ints; i++)
		if (pads->ints[i])
			return 0;
	return !attribute(n, "auto_pad") || attribute_is(n, "auto_pad", "NOTSET") || attribute_is(n, "auto_pad", "VALID");
}

static void take(struct graph *g, struct node *n, const struct affine *f)
{
	struct value *w = copy_constant(g, n->in[IN_WEIGHTS]);
	const int is_conv = is_op(n, "Conv");
	const size_t inner = value_count(w) / w->dim[0], taps = is_conv ? inner / w->dim[1] : 1;
	const size_t groups = is_conv ? (size_t)attribute_int(n, "group", 1) : 1;
	const size_t channels = is_conv ? w->dim[0] : w->dim[1];
	float *to = value_data(w), *bias = own_bias(g, n, channels);
	double *sum = graph_alloc(g, channels, sizeof(*sum));

	for (size_t i = 0; i < value_count(w); i++) {
		const size_t out = out_channel(n, w, i);
		const size_t in = is_conv ? i % inner / taps + out / (channels / groups) * w->dim[1] : i / w->dim[1];

		sum[out] += (double)to[i] * b_of(f, in);
		to[i] = (float)((double)to[i] * a_of(f, in));
	}
	for (size_t c = 0; c < channels; c++)
		bias[c] = (float)((double)bias[c] + sum[c]);
	graph_set_input(g, n, IN_WEIGHTS, w);
	graph_set_input(g, n, IN_X, f->x);
}

/* Into the weights of all users. */
static int fold_forward(struct graph *g, struct node *n)
{
	struct affine f;
	size_t users = 0;

	if (!affine_of(n, 1, &f) || n->out[0]->is_output || !n->out[0]->uses)
		return 0;
	for (size_t i = 0; i < g->nodes; i++)
		for (size_t j = 0; j < g->node[i]->ins && !g->node[i]->dead; j++)
			if (g->node[i]->in[j] == n->out[0]) {
				users++;
				if (!can_take(g->node[i], n->out[0], &f))
					return 0;
			}
	for (size_t i = 0; i < g->nodes && users; i++)
		if (!g->node[i]->dead && g->node[i]->in && g->node[i]->ins && g->node[i]->in[0] == n->out[0])
			take(g, g->node[i], &f);
	graph_kill(n);
	return 1;
}

/* Two scalar ones in a row become one Affine. */
static int join_two(struct graph *g, struct node *n)
{
	struct affine first, second;
	struct node *user = graph_only_user(g, n->out[0]), *joined;
	double a, b;

	if (!user || n->in[0]->rank == 0 || !affine_of(n, n->out[0]->rank - 1, &first) || first.count != 1 ||
	    !affine_of(user, user->out[0]->rank - 1, &second) || second.count != 1 || second.x != n->out[0])
		return 0;
	a = a_of(&first, 0) * a_of(&second, 0);
	b = b_of(&first, 0) * a_of(&second, 0) + b_of(&second, 0);
	joined = fuse(g, "Affine", first.x, user->out[0]);
	joined->number[0] = a;
	joined->number[1] = b;
	graph_kill(n);
	return 1;
}

void fuse_affine(struct graph *g)
{
	int changed = 1;

	while (changed) {
		changed = 0;
		for (size_t i = 0; i < g->nodes; i++)
			if (!g->node[i]->dead && g->node[i]->out[0]->rank)
				changed |= fold_back(g, g->node[i]) || join_two(g, g->node[i]) || fold_forward(g, g->node[i]);
		graph_tidy(g);
	}
}
