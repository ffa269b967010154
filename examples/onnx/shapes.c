/* SPDX-License-Identifier: MIT */
#include "plan.h"
#include "shapes.h"
#include "strides.h"

struct value *infer_output(struct graph *g, struct node *n, size_t i, int type, size_t rank, const size_t *dim)
{
	if (i >= n->outs)
		refuse(n, "%zu outputs; the operator has %zu or more", n->outs, i + 1);
	n->out[i] = value_new(g, n, n->proto ? n->proto->output[i] : n->name, type, rank, dim);
	n->out[i]->maker = n;
	return n->out[i];
}

void infer_same(struct graph *g, struct node *n)
{
	infer_output(g, n, 0, n->in[0]->type, n->in[0]->rank, n->in[0]->dim);
}

struct value *infer_broadcast(struct graph *g, struct node *n, size_t first, size_t last, int type)
{
	size_t rank = 0, dim[RANK];
	char text[2][200];

	for (size_t i = first; i < last; i++)
		rank = n->in[i]->rank > rank ? n->in[i]->rank : rank;
	for (size_t d = 0; d < rank; d++)
		dim[d] = 1;
	for (size_t i = first; i < last; i++)
		for (size_t d = 0; d < n->in[i]->rank; d++) {
			size_t *to = &dim[rank - n->in[i]->rank + d];

			if (n->in[i]->dim[d] != 1 && *to != 1 && *to != n->in[i]->dim[d])
				refuse(n, "inputs of %s and %s cannot be broadcast to one shape", value_dims(n->in[first], text[0]),
				       value_dims(n->in[i], text[1]));
			*to = n->in[i]->dim[d] != 1 ? n->in[i]->dim[d] : *to;
		}
	return infer_output(g, n, 0, type, rank, dim);
}

void infer_view(struct graph *g, struct node *n, size_t rank, const size_t *dim)
{
	char text[200];
	struct value *v = infer_output(g, n, 0, n->in[0]->type, rank, dim);

	if (value_count(v) != value_count(n->in[0]))
		refuse(n, "%zu elements of input '%s' cannot have the shape %s", value_count(n->in[0]), n->in[0]->name,
		       value_dims(v, text));
}

void plan_reshape(struct plan *p, struct node *n)
{
	const struct value *x = n->in[0];
	size_t stride[RANK];

	if (strides_reshaped(x, n->out[0]->rank, n->out[0]->dim, stride)) {
		plan_alias(n->out[0], x, stride, 0);
		return;
	}
	x = plan_dense(p, n, x);
	plan_alias(n->out[0], x, n->out[0]->stride, 0);
}

void check_type(const struct node *n, size_t i, int type)
{
	if (n->in[i]->type != type)
		refuse(n, "input '%s' has type %s; allowed is %s", n->in[i]->name, type_name(n->in[i]->type), type_name(type));
}
