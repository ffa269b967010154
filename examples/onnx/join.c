/* SPDX-License-Identifier: MIT */
/* Concat, Gather and Pad: copies of parts. */
#include <string.h>

#include "ops.h"
#include "shapes.h"
#include "strides.h"

static void infer_concat(struct graph *g, struct node *n)
{
	const struct value *first = n->in[0];
	const size_t axis = axis_of(n, attribute_int(n, "axis", 0), first->rank);
	size_t dim[RANK];

	memcpy(dim, first->dim, sizeof(dim));
	dim[axis] = 0;
	for (size_t i = 0; i < n->ins; i++) {
		const struct value *x = n->in[i];
		char text[2][200];

		if (!x || x->type != first->type || x->rank != first->rank)
			refuse(n, "inputs of several types or numbers of dimensions");
		for (size_t d = 0; d < x->rank; d++)
			if (d != axis && x->dim[d] != first->dim[d])
				refuse(n, "inputs of %s and %s, which differ in an axis other than %zu", value_dims(first, text[0]),
				       value_dims(x, text[1]), axis);
		if (x->dim[axis] > SIZE_MAX - dim[axis])
			refuse(n, "more elements than can be counted");
		dim[axis] += x->dim[axis];
	}
	infer_output(g, n, 0, first->type, first->rank, dim);
}

/* A view of part of y, for inputs to be copied to. */
static struct value *part_of(struct graph *g, const struct node *n, const struct value *y, const struct value *part,
                             size_t offset)
{
	struct value *v = value_new(g, n, y->name, y->type, part->rank, part->dim);

	plan_alias(v, y, y->stride, offset);
	return v;
}

static void plan_concat(struct plan *p, struct node *n)
{
	const size_t axis = axis_of(n, attribute_int(n, "axis", 0), n->in[0]->rank);
	struct value *y = n->out[0];
	size_t start = 0;

	if (y->whole || y->storage)
		place_store(p, y);
	else {
		for (size_t i = 0; i < n->ins; i++)
			if (!strides_are_dense(n->in[i]) && strides_are_channels_last(n->in[i])) {
				strides_channels_last(y);
				break;
			}
		plan_store(p, y);
	}
	for (size_t i = 0; i < n->ins; i++) {
		if (value_count(n->in[i]) && (n->in[i]->whole != y || n->in[i]->start != start))
			plan_copy(p, n, part_of(p->graph, n, y, n->in[i], start * y->stride[axis]), n->in[i]);
		start += n->in[i]->dim[axis];
	}
	/* With nothing to copy, the output is stored all the same. */
	if (!value_count(y))
		plan_copy(p, n, y, y);
}

static void infer_gather(struct graph *g, struct node *n)
{
	const struct value *x = n->in[0], *index = n->in[1];
	const size_t axis = axis_of(n, attribute_int(n, "axis", 0), x->rank);
	size_t dim[2 * RANK], rank = 0;

	if (index->type != S64 && index->type != S32)
		check_type(n, 1, S64);
	for (size_t i = 0; i < x->rank; i++)
		if (i == axis)
			for (size_t j = 0; j < index->rank; j++)
				dim[rank++] = index->dim[j];
		else
			dim[rank++] = x->dim[i];
	infer_output(g, n, 0, x->type, rank, dim);
}

struct gather {
	size_t outer, size, inner; /* elements before, along and behind the axis; inner in bytes */
};

/* An index counts from the end if it is negative. One that is out of range ends the program, because it is in the
 * input. */
static void run_gather(const struct step *s)
{
	const struct gather *t = s->state;
	const struct value *index = s->in[1];
	const size_t count = value_count(index);
	char *y = value_data(s->out[0]);
	const char *x = value_data(s->in[0]);

	for (size_t o = 0; o < t->outer; o++)
		for (size_t i = 0; i < count; i++) {
			const int64_t given = value_int(index, i), at = given < 0 ? given + (int64_t)t->size : given;

			if (at < 0 || at >= (int64_t)t->size)
				refuse(s->node, "index %lld; allowed are %lld to %lld", (long long)given, -(long long)t->size,
				       (long long)t->size - 1);
			memcpy(y + (o * count + i) * t->inner, x + (o * t->size + (size_t)at) * t->inner, t->inner);
		}
}

static void plan_gather(struct plan *p, struct node *n)
{
	struct gather *t = graph_alloc(p->graph, 1, sizeof(*t));
	const struct value *x = plan_dense(p, n, n->in[0]), *index = plan_dense(p, n, n->in[1]);
	const size_t axis = axis_of(n, attribute_int(n, "axis", 0), x->rank);
	struct step *s;

	*t = (struct gather){1, x->dim[axis], type_bytes(x->type)};
	for (size_t i = 0; i < x->rank; i++)
		*(i < axis ? &t->outer : &t->inner) *= i == axis ? 1 : x->dim[i];
	plan_store(p, n->out[0]);
	s = plan_step(p, n, run_gather, "copy", t);
	step_in(s, x);
	step_in(s, index);
	step_out(s, n->out[0]);
}

/* The modes of isk_pad in its order, under ONNX's names. */
static const char *const pad_modes[] = {"constant", "reflect", "edge"};

/* Gives the pads and the value, and returns the mode. */
static unsigned pads_of(const struct node *n, int64_t *pads, double *value)
{
	const size_t rank = n->in[0]->rank;

	if (parameter_ints(n, "pads", 1, pads, 2 * RANK) != (int)(2 * rank))
		refuse(n, "pads must be %zu numbers", 2 * rank);
	*value = attribute_float(n, "value", 0);
	if (n->ins > 2 && n->in[2] && !value_is_scalar(n->in[2], value))
		refuse(n, "the value of the border must be a constant");
	for (unsigned mode = 0; mode < 3; mode++)
		if (attribute(n, "mode") ? attribute_is(n, "mode", pad_modes[mode]) : mode == 0)
			return mode;
	refuse(n, "modes constant, reflect and edge are allowed");
}

static void infer_pad(struct graph *g, struct node *n)
{
	const struct value *x = n->in[0];
	int64_t pads[2 * RANK];
	double value;
	const int is_reflected = pads_of(n, pads, &value) == 1;
	size_t dim[RANK];

	check_type(n, 0, F32);
	for (size_t i = 0; i < x->rank; i++) {
		const int64_t before = pads[i], after = pads[x->rank + i], most = is_reflected ? (int64_t)x->dim[i] - 1 : 1 << 20;

		if (before < 0 || after < 0 || before > most || after > most)
			refuse(n, "pads of %lld and %lld for axis %zu; allowed are 0 to %lld", (long long)before, (long long)after,
			       i, (long long)most);
		dim[i] = x->dim[i] + (size_t)(before + after);
	}
	infer_output(g, n, 0, F32, x->rank, dim);
}

/* Axes before the first padded one are images, those behind the last one channels. */
struct pad {
	size_t images, channels, out[2], in[2];
	int64_t before[2];
	float *value;
	unsigned mode;
};

static void run_pad(const struct step *s)
{
	const struct pad *t = s->state;

	must(s, KERNEL(pad_b32)(value_data(s->out[0]), value_data(s->in[0]), t->value, t->images, t->channels, t->out[0], t->out[1],
	                        t->in[0], t->in[1], t->before[0], t->before[1], t->mode));
}

static void plan_pad(struct plan *p, struct node *n)
{
	struct pad *t = graph_alloc(p->graph, 1, sizeof(*t));
	const struct value *x = n->in[0], *y = n->out[0];
	size_t first = 0, last = x->rank - 1;
	int64_t pads[2 * RANK];
	double value;
	struct step *s;

	*t = (struct pad){1, 1, {1, 1}, {1, 1}, {0, 0}, NULL, pads_of(n, pads, &value)};
	if (value_same_dims(x, y)) {
		plan_alias(n->out[0], x, x->stride, 0);
		return;
	}
	while (x->dim[first] == y->dim[first])
		first++;
	while (x->dim[last] == y->dim[last])
		last--;
	if (last > first + 1)
		refuse(n, "padding of axes %zu to %zu; one axis or two neighbours may be padded", first, last);
	for (size_t i = 0; i < x->rank; i++)
		*(i < first ? &t->images : &t->channels) *= i < first || i > last ? x->dim[i] : 1;
	for (size_t i = first; i <= last; i++) {
		t->out[i - first] = y->dim[i];
		t->in[i - first] = x->dim[i];
		t->before[i - first] = pads[i];
	}
	t->value = graph_alloc(p->graph, t->channels, sizeof(*t->value));
	for (size_t c = 0; c < t->channels; c++)
		t->value[c] = (float)value;
	x = plan_dense(p, n, x);
	plan_store(p, n->out[0]);
	s = plan_step(p, n, run_pad, "pad_b32", t);
	step_in(s, x);
	step_out(s, n->out[0]);
}

const struct op join_ops[] = {
	{"Concat", 1, 1 << 16, infer_concat, plan_concat},
	{"Gather", 2, 2, infer_gather, plan_gather},
	{"Pad", 1, 3, infer_pad, plan_pad},
	{NULL, 0, 0, NULL, NULL},
};
