/* SPDX-License-Identifier: MIT */
/* Operators that give other dims or strides to the same elements, and those that follow from shapes alone. */
#include <string.h>

#include "model.h"
#include "ops.h"
#include "shapes.h"
#include "strides.h"

static void infer_reshape(struct graph *g, struct node *n)
{
	const struct value *x = n->in[0];
	int64_t list[RANK];
	const int rank = parameter_ints(n, "shape", 1, list, RANK);
	size_t dim[RANK], known = 1, count = value_count(x);
	int open = -1;

	for (int i = 0; i < rank; i++) {
		if (list[i] < -1 || (list[i] == -1 && open >= 0))
			refuse(n, "the shape has %lld at place %d; allowed are sizes, 0 and one -1", (long long)list[i], i);
		if (list[i] == 0 && attribute_int(n, "allowzero", 0) == 0) {
			if ((size_t)i >= x->rank)
				refuse(n, "the shape has 0 at place %d, but the input has %zu dimensions", i, x->rank);
			dim[i] = x->dim[i];
		} else
			dim[i] = list[i] == -1 ? 1 : (size_t)list[i];
		if (list[i] == -1)
			open = i;
		else if (dim[i] && known > SIZE_MAX / dim[i])
			refuse(n, "the shape has more elements than can be counted");
		else
			known *= dim[i];
	}
	if (open >= 0)
		dim[open] = known ? count / known : 0;
	infer_view(g, n, (size_t)(rank < 0 ? 0 : rank), dim);
}

static void infer_flatten(struct graph *g, struct node *n)
{
	const struct value *x = n->in[0];
	const int64_t given = attribute_int(n, "axis", 1);
	const size_t axis = given == (int64_t)x->rank ? x->rank : axis_of(n, given, x->rank);
	size_t dim[2] = {1, 1};

	for (size_t i = 0; i < x->rank; i++)
		dim[i >= axis] *= x->dim[i];
	infer_view(g, n, 2, dim);
}

/* Bit i: axis i is one of the axes. */
static unsigned axes_of(const struct node *n, size_t rank)
{
	int64_t list[RANK];
	const int count = parameter_ints(n, "axes", 1, list, RANK);
	unsigned axes = 0;

	for (int i = 0; i < count; i++)
		axes |= 1u << axis_of(n, list[i], rank);
	return axes;
}

static void infer_squeeze(struct graph *g, struct node *n)
{
	const struct value *x = n->in[0];
	unsigned axes = axes_of(n, x->rank);
	size_t dim[RANK], rank = 0;

	for (size_t i = 0; i < x->rank; i++) {
		const int goes = axes ? axes >> i & 1 : x->dim[i] == 1;

		if (goes && x->dim[i] != 1)
			refuse(n, "axis %zu has size %zu; only axes of size 1 can be squeezed", i, x->dim[i]);
		if (!goes)
			dim[rank++] = x->dim[i];
	}
	infer_view(g, n, rank, dim);
}

static void infer_unsqueeze(struct graph *g, struct node *n)
{
	const struct value *x = n->in[0];
	int64_t list[RANK];
	const int count = parameter_ints(n, "axes", 1, list, RANK);
	const size_t rank = x->rank + (size_t)(count < 0 ? 0 : count);
	size_t dim[RANK], at = 0;
	unsigned axes;

	if (rank > RANK)
		refuse(n, "%zu dimensions; at most %d are allowed", rank, RANK);
	axes = axes_of(n, rank);
	for (size_t i = 0; i < rank; i++)
		dim[i] = axes >> i & 1 || at == x->rank ? 1 : x->dim[at++];
	infer_view(g, n, rank, dim);
}

/* The axis of the input that becomes axis i. */
static size_t source_axis(const struct node *n, size_t i)
{
	const Onnx__AttributeProto *perm = attribute(n, "perm");

	if (!perm)
		return n->in[0]->rank - 1 - i;
	if (perm->n_ints != n->in[0]->rank)
		refuse(n, "perm has %zu numbers; the input has %zu dimensions", perm->n_ints, n->in[0]->rank);
	return axis_of(n, perm->ints[i], n->in[0]->rank);
}

static void infer_transpose(struct graph *g, struct node *n)
{
	size_t dim[RANK];
	unsigned seen = 0;

	for (size_t i = 0; i < n->in[0]->rank; i++) {
		dim[i] = n->in[0]->dim[source_axis(n, i)];
		seen |= 1u << source_axis(n, i);
	}
	if (seen != (1u << n->in[0]->rank) - 1)
		refuse(n, "perm names an axis twice");
	infer_output(g, n, 0, n->in[0]->type, n->in[0]->rank, dim);
}

static void plan_transpose(struct plan *p, struct node *n)
{
	size_t stride[RANK];

	(void)p;
	for (size_t i = 0; i < n->in[0]->rank; i++)
		stride[i] = n->in[0]->stride[source_axis(n, i)];
	plan_alias(n->out[0], n->in[0], stride, 0);
}

/* The start of each axis, the number of its steps, and their length. */
struct slice {
	size_t start[RANK], count[RANK];
	ptrdiff_t step[RANK];
	int backward; /* a step is below 0 */
};

static int64_t clamp(int64_t x, int64_t size)
{
	x = x < 0 ? x + size : x;
	return x < 0 ? 0 : x > size ? size : x;
}

static struct slice slice_of(const struct node *n)
{
	const struct value *x = n->in[0];
	int64_t starts[RANK], ends[RANK], axes[RANK], steps[RANK];
	const int count = parameter_ints(n, "starts", 1, starts, RANK),
			  ends_count = parameter_ints(n, "ends", 2, ends, RANK);
	const int axes_count = parameter_ints(n, "axes", 3, axes, RANK),
			  steps_count = parameter_ints(n, "steps", 4, steps, RANK);
	struct slice s = {.backward = 0};

	if (count < 0 || ends_count != count || (axes_count >= 0 && axes_count != count) ||
	    (steps_count >= 0 && steps_count != count))
		refuse(n, "starts, ends, axes and steps must have as many numbers as each other");
	for (size_t i = 0; i < x->rank; i++) {
		s.start[i] = 0;
		s.step[i] = 1;
		s.count[i] = x->dim[i];
	}
	for (int i = 0; i < count; i++) {
		const size_t axis = axis_of(n, axes_count >= 0 ? axes[i] : i, x->rank);
		const int64_t size = (int64_t)x->dim[axis], step = steps_count >= 0 ? steps[i] : 1;
		int64_t start = clamp(starts[i], size), end = clamp(ends[i], size);

		if (step == 0 || step > INT32_MAX || step < -INT32_MAX)
			refuse(n, "a step of %lld; steps must not be 0, nor as large", (long long)step);
		if (step < 0) {
			/* From the last element at most, to before the first one. */
			start = start < size ? start : size - 1;
			end = ends[i] < -size ? -1 : end;
			s.backward = 1;
			s.count[axis] = start > end ? (size_t)((start - end - 1) / -step + 1) : 0;
		} else
			s.count[axis] = end > start ? (size_t)((end - start - 1) / step + 1) : 0;
		s.start[axis] = (size_t)start;
		s.step[axis] = (ptrdiff_t)step;
	}
	return s;
}

static void infer_slice(struct graph *g, struct node *n)
{
	const struct slice s = slice_of(n);

	infer_output(g, n, 0, n->in[0]->type, n->in[0]->rank, s.count);
}

/* Element by element: strides are never negative. */
static void run_backward(const struct step *s)
{
	const struct slice *t = s->state;
	const struct value *x = s->in[0], *y = s->out[0];
	const size_t bytes = type_bytes(y->type);

	for (size_t i = 0; i < value_count(y); i++) {
		size_t left = i, from = 0;

		for (size_t d = y->rank; d-- > 0; left /= y->dim[d])
			from += x->stride[d] * (size_t)((ptrdiff_t)t->start[d] + (ptrdiff_t)(left % y->dim[d]) * t->step[d]);
		memcpy((char *)value_data(y) + i * bytes, (const char *)value_data(x) + from * bytes, bytes);
	}
}

static void plan_backward(struct plan *p, struct node *n, const struct slice *slice)
{
	struct slice *t = graph_alloc(p->graph, 1, sizeof(*t));
	struct step *s;

	*t = *slice;
	plan_store(p, n->out[0]);
	s = plan_step(p, n, run_backward, "copy", t);
	step_in(s, n->in[0]);
	step_out(s, n->out[0]);
}

static void plan_slice(struct plan *p, struct node *n)
{
	const struct slice s = slice_of(n);
	size_t stride[RANK], offset = 0;

	if (s.backward) {
		plan_backward(p, n, &s);
		return;
	}
	for (size_t i = 0; i < n->in[0]->rank; i++) {
		stride[i] = n->in[0]->stride[i] * (size_t)s.step[i];
		offset += s.count[i] ? n->in[0]->stride[i] * s.start[i] : 0;
	}
	plan_alias(n->out[0], n->in[0], stride, offset);
}

static void infer_split(struct graph *g, struct node *n)
{
	const struct value *x = n->in[0];
	const size_t axis = axis_of(n, attribute_int(n, "axis", 0), x->rank);
	const size_t even = (x->dim[axis] + n->outs - 1) / n->outs;
	int64_t list[64];
	const int count = parameter_ints(n, "split", 1, list, 64);
	size_t dim[RANK], left = x->dim[axis];

	if (count >= 0 && (size_t)count != n->outs)
		refuse(n, "split has %d numbers for %zu outputs", count, n->outs);
	for (size_t i = 0; i < n->outs; i++) {
		const size_t here = count >= 0 ? (size_t)list[i] : even < left ? even : left;

		if (here > left)
			refuse(n, "split asks for more than the %zu of axis %zu", x->dim[axis], axis);
		left -= here;
		memcpy(dim, x->dim, sizeof(dim));
		dim[axis] = here;
		infer_output(g, n, i, x->type, x->rank, dim);
	}
	if (left)
		refuse(n, "split leaves %zu of axis %zu over", left, axis);
}

static void plan_split(struct plan *p, struct node *n)
{
	const struct value *x = n->in[0];
	const size_t axis = axis_of(n, attribute_int(n, "axis", 0), x->rank);
	size_t start = 0;

	(void)p;
	for (size_t i = 0; i < n->outs; i++) {
		plan_alias(n->out[i], x, x->stride, start * x->stride[axis]);
		start += n->out[i]->dim[axis];
	}
}

static void infer_expand(struct graph *g, struct node *n)
{
	int64_t list[RANK];
	const int count = parameter_ints(n, "shape", 1, list, RANK);
	const struct value *x = n->in[0];
	const size_t wanted = (size_t)count, rank = x->rank > wanted ? x->rank : wanted;
	size_t dim[RANK];

	for (size_t i = 0; i < rank; i++) {
		const size_t own = i + x->rank < rank ? 1 : x->dim[i + x->rank - rank];
		const int64_t other = i + wanted < rank ? 1 : list[i + wanted - rank];

		if (other < 0 || (own != 1 && other != 1 && (size_t)other != own))
			refuse(n, "axis %zu of size %zu cannot be expanded to %lld", i, own, (long long)other);
		dim[i] = own != 1 ? own : (size_t)other;
	}
	infer_output(g, n, 0, x->type, rank, dim);
}

static void plan_expand(struct plan *p, struct node *n)
{
	const struct value *x = n->in[0];
	size_t stride[RANK];

	(void)p;
	for (size_t i = 0; i < n->out[0]->rank; i++) {
		const size_t missing = n->out[0]->rank - x->rank;

		stride[i] = i < missing || x->dim[i - missing] == 1 ? 0 : x->stride[i - missing];
	}
	plan_alias(n->out[0], x, stride, 0);
}

static void infer_shape(struct graph *g, struct node *n)
{
	const struct value *x = n->in[0];
	const int64_t rank = (int64_t)x->rank;
	const size_t start = (size_t)clamp(attribute_int(n, "start", 0), rank),
				 end = (size_t)clamp(attribute_int(n, "end", rank), rank);
	const size_t count = end > start ? end - start : 0;

	n->out[0] = constant_new(g, n->proto->output[0], S64, 1, &count);
	for (size_t i = 0; i < count; i++)
		value_set_int(n->out[0], i, (int64_t)x->dim[start + i]);
}

static void infer_size(struct graph *g, struct node *n)
{
	n->out[0] = constant_new(g, n->proto->output[0], S64, 0, NULL);
	value_set_int(n->out[0], 0, (int64_t)value_count(n->in[0]));
}

static void infer_constant_of_shape(struct graph *g, struct node *n)
{
	const Onnx__AttributeProto *a = attribute(n, "value");
	int64_t list[RANK];
	const int rank = parameter_ints(n, "input", 0, list, RANK);
	const size_t one = 1;
	const struct value *element, *v;
	size_t dim[RANK], bytes;

	for (int i = 0; i < rank; i++) {
		if (list[i] < 0)
			refuse(n, "a size of %lld", (long long)list[i]);
		dim[i] = (size_t)list[i];
	}
	element = a && a->t ? model_constant(g, n, a->t, "value") : constant_new(g, "value", F32, 1, &one);
	if (value_count(element) != 1)
		refuse(n, "value must be one element");
	v = value_new(g, n, n->proto->output[0], element->type, (size_t)rank, dim);
	n->out[0] = constant_new(g, v->name, v->type, v->rank, v->dim);
	bytes = type_bytes(v->type);
	for (size_t i = 0; i < value_count(v); i++)
		memcpy((char *)value_data(n->out[0]) + i * bytes, value_data(element), bytes);
}

static void infer_range(struct graph *g, struct node *n)
{
	int64_t x[3];
	size_t count;

	for (size_t i = 0; i < 3; i++) {
		check_type(n, i, S64);
		if (parameter_ints(n, "start, limit and delta", i, &x[i], 1) != 1)
			refuse(n, "start, limit and delta must be one number each");
	}
	if (x[2] < 1)
		refuse(n, "delta is %lld; it must be above 0", (long long)x[2]);
	count = x[1] > x[0] ? (size_t)((x[1] - x[0] - 1) / x[2] + 1) : 0;
	value_new(g, n, "range", S64, 1, &count);
	n->out[0] = constant_new(g, n->proto->output[0], S64, 1, &count);
	for (size_t i = 0; i < count; i++)
		value_set_int(n->out[0], i, x[0] + (int64_t)i * x[2]);
}

const struct op view_ops[] = {
	{"Reshape", 1, 2, infer_reshape, plan_reshape},
	{"Flatten", 1, 1, infer_flatten, plan_reshape},
	{"Squeeze", 1, 2, infer_squeeze, plan_reshape},
	{"Unsqueeze", 1, 2, infer_unsqueeze, plan_reshape},
	{"Transpose", 1, 1, infer_transpose, plan_transpose},
	{"Slice", 1, 5, infer_slice, plan_slice},
	{"Split", 1, 2, infer_split, plan_split},
	{"Expand", 2, 2, infer_expand, plan_expand},
	{"Shape", 1, 1, infer_shape, NULL},
	{"Size", 1, 1, infer_size, NULL},
	{"ConstantOfShape", 1, 1, infer_constant_of_shape, NULL},
	{"Range", 3, 3, infer_range, NULL},
	{NULL, 0, 0, NULL, NULL},
};
