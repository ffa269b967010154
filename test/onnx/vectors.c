/* SPDX-License-Identifier: MIT */
/*
 * ONNX's operations on elements, on arrays and on rows. Tensors are small, so they are copied into the layout
 * that kernels take.
 */
#include <stdlib.h>
#include <string.h>

#include "isakern.h"
#include "node.h"

/* All kernels of a shape are called with the type of the f32 one, because pointers and values have the same size. */
typedef void map(void *y, const void *x, size_t n);
typedef void map_scalar(void *y, const void *x, size_t n, float alpha);
typedef void map_scalars(void *y, const void *x, size_t n, float alpha, float beta);
typedef void zip(void *y, const void *a, const void *b, size_t n);

const char *run_map(struct node *node, const struct op *op)
{
	const struct tensor *x = node->in[0];

	node->out = tensor_new(op->c == C_MASK ? ONNX__TENSOR_PROTO__DATA_TYPE__BOOL : x->type, x->dims, x->dim);
	((map *)op->fn)(node->out.data, x->data, x->count);
	return NULL;
}

/* An attribute, or ONNX's default. */
static float value(const struct node *node, const struct op *op, int i)
{
	return node_float(node, op->value[i].name, op->value[i].absent);
}

const char *run_map_scalar(struct node *node, const struct op *op)
{
	const struct tensor *x = node->in[0];

	node->out = tensor_new(x->type, x->dims, x->dim);
	if (op->value[1].name)
		((map_scalars *)op->fn)(node->out.data, x->data, x->count, value(node, op, 0), value(node, op, 1));
	else
		((map_scalar *)op->fn)(node->out.data, x->data, x->count, value(node, op, 0));
	return NULL;
}

/* Dimension number `back` from the last one; 1 beyond the first. */
static size_t dim_from_end(const struct tensor *t, size_t back)
{
	return back < t->dims ? t->dim[t->dims - 1 - back] : 1;
}

/* The elements of t, broadcast to the dimensions of `to` by numpy's rules; to be freed. */
static void *broadcast(const struct tensor *t, const struct tensor *to)
{
	const size_t bytes = tensor_element_bytes(t->type);
	char *all = must_alloc(to->count * bytes);

	for (size_t i = 0; i < to->count; i++) {
		size_t rest = i, from = 0, step = 1;

		for (size_t back = 0; back < to->dims; back++) {
			const size_t own = dim_from_end(t, back), wide = dim_from_end(to, back);

			from += own > 1 ? rest % wide * step : 0;
			step *= own;
			rest /= wide;
		}
		memcpy(all + i * bytes, (const char *)t->data + from * bytes, bytes);
	}
	return all;
}

/* A tensor of the dimensions that all inputs are broadcast to. */
static struct tensor broadcast_new(const struct node *node, int type)
{
	size_t dims = 0, dim[TENSOR_DIMS];

	for (size_t j = 0; j < NODE_INPUTS && node->in[j]; j++)
		dims = node->in[j]->dims > dims ? node->in[j]->dims : dims;
	for (size_t back = 0; back < dims; back++) {
		size_t *wide = &dim[dims - 1 - back];

		*wide = 1;
		for (size_t j = 0; j < NODE_INPUTS && node->in[j]; j++)
			*wide = dim_from_end(node->in[j], back) != 1 ? dim_from_end(node->in[j], back) : *wide;
	}
	return tensor_new(type, dims, dim);
}

/* Any number of inputs, since Min and Max have one or more. */
const char *run_zip(struct node *node, const struct op *op)
{
	const int masked = op->c == C_MASK;
	void *first;

	for (size_t j = 1; j < NODE_INPUTS && node->in[j]; j++)
		if (node->in[j]->type != node->in[0]->type)
			return "inputs of several types";
	node->out = broadcast_new(node, masked ? ONNX__TENSOR_PROTO__DATA_TYPE__BOOL : node->in[0]->type);
	first = broadcast(node->in[0], &node->out);
	if (!masked)
		memcpy(node->out.data, first, node->out.count * tensor_element_bytes(node->out.type));
	for (size_t j = 1; j < NODE_INPUTS && node->in[j]; j++) {
		void *other = broadcast(node->in[j], &node->out);

		((zip *)op->fn)(node->out.data, masked ? first : node->out.data, other, node->out.count);
		free(other);
	}
	free(first);
	return NULL;
}

/* A tensor as rows along some of its dimensions. */
struct rows {
	size_t rows, cols;
	size_t *place; /* for each element: row * cols + column */
	void *x, *y;   /* x: the rows; y: room for as many results */
};

static struct rows rows_of(const struct tensor *t, unsigned along)
{
	struct rows r = {1, 1, must_alloc(t->count * sizeof(size_t)), must_alloc(t->count * 8), must_alloc(t->count * 8)};
	const size_t bytes = tensor_element_bytes(t->type);

	for (size_t d = 0; d < t->dims; d++)
		*(along >> d & 1 ? &r.cols : &r.rows) *= t->dim[d];
	for (size_t i = 0; i < t->count; i++) {
		size_t rest = i, row = 0, col = 0, row_step = 1, col_step = 1;

		for (size_t d = t->dims; d-- > 0;) {
			const int is_along = along >> d & 1;

			*(is_along ? &col : &row) += rest % t->dim[d] * (is_along ? col_step : row_step);
			*(is_along ? &col_step : &row_step) *= t->dim[d];
			rest /= t->dim[d];
		}
		r.place[i] = row * r.cols + col;
		memcpy((char *)r.x + r.place[i] * bytes, (const char *)t->data + i * bytes, bytes);
	}
	return r;
}

/* Puts the results back in the order of the tensor's elements. */
static struct tensor rows_back(const struct rows *r, const struct tensor *t)
{
	const size_t bytes = tensor_element_bytes(t->type);
	struct tensor out = tensor_new(t->type, t->dims, t->dim);

	for (size_t i = 0; i < t->count; i++)
		memcpy((char *)out.data + i * bytes, (const char *)r->y + r->place[i] * bytes, bytes);
	return out;
}

static void rows_free(struct rows *r)
{
	free(r->place);
	free(r->x);
	free(r->y);
}

static unsigned axis_bit(const struct tensor *t, int64_t axis)
{
	return 1u << (axis < 0 ? axis + (int64_t)t->dims : axis);
}

/* The axes of a reduction: an input in newer versions, an attribute in older ones; all axes if neither is given. */
static unsigned axes_of(const struct node *node)
{
	const struct tensor *x = node->in[0], *axes = node->in[1];
	const Onnx__AttributeProto *a = node_attribute(node, "axes");
	unsigned along = 0;

	for (size_t i = 0; axes && i < axes->count; i++)
		along |= axis_bit(x, ((const int64_t *)axes->data)[i]);
	for (size_t i = 0; a && i < a->n_ints; i++)
		along |= axis_bit(x, a->ints[i]);
	return along || node_int(node, "noop_with_empty_axes", 0) ? along : (1u << x->dims) - 1;
}

static struct tensor reduced_new(const struct node *node, unsigned along, int type)
{
	const struct tensor *x = node->in[0];
	const int keep = node_int(node, "keepdims", 1) != 0;
	size_t dims = 0, dim[TENSOR_DIMS];

	for (size_t d = 0; d < x->dims; d++) {
		const int reduced = along >> d & 1;

		if (!reduced || keep)
			dim[dims++] = reduced ? 1 : x->dim[d];
	}
	return tensor_new(type, dims, dim);
}

const char *run_reduce(struct node *node, const struct op *op)
{
	const unsigned along = axes_of(node);
	struct rows r = rows_of(node->in[0], along);

	node->out = reduced_new(node, along, node->in[0]->type);
	for (size_t i = 0; i < r.rows; i++)
		if (op->type == ISK_F64)
			((double *)node->out.data)[i] = ((double (*)(const double *, size_t))op->fn)((double *)r.x + i * r.cols, r.cols);
		else
			((float *)node->out.data)[i] = ((float (*)(const float *, size_t))op->fn)((float *)r.x + i * r.cols, r.cols);
	rows_free(&r);
	return NULL;
}

const char *run_arg(struct node *node, const struct op *op)
{
	const unsigned along = axis_bit(node->in[0], node_int(node, "axis", 0));
	struct rows r;

	if (node_int(node, "select_last_index", 0))
		return "of equal elements it is the first";
	r = rows_of(node->in[0], along);
	node->out = reduced_new(node, along, ONNX__TENSOR_PROTO__DATA_TYPE__INT64);
	for (size_t i = 0; i < r.rows; i++)
		((int64_t *)node->out.data)[i] =
			(int64_t)((size_t (*)(const float *, size_t))op->fn)((float *)r.x + i * r.cols, r.cols);
	rows_free(&r);
	return NULL;
}

const char *run_softmax(struct node *node, const struct op *op)
{
	const struct tensor *x = node->in[0];
	struct rows r = rows_of(x, axis_bit(x, node_int(node, "axis", -1)));

	((__typeof(isk_softmax_f32) *)op->fn)(r.y, r.x, r.rows, r.cols, r.cols, r.cols);
	node->out = rows_back(&r, x);
	rows_free(&r);
	return NULL;
}

const char *run_norm(struct node *node, const struct op *op)
{
	const struct tensor *x = node->in[0], *bias = node->in[2];
	const unsigned first = axis_bit(x, node_int(node, "axis", -1));
	struct rows r = rows_of(x, ((1u << x->dims) - 1) & ~(first - 1));

	((__typeof(isk_layernorm_f32) *)op->fn)(r.y, r.x, node->in[1]->data, bias ? bias->data : NULL, r.rows, r.cols, r.cols,
	                                        r.cols, node_float(node, "epsilon", 1e-5f));
	node->out = rows_back(&r, x);
	rows_free(&r);
	return NULL;
}
