/* SPDX-License-Identifier: MIT */
/* MatMulInteger or ConvInteger, the Cast to f32, the product with the scale and a bias become one kernel with f32
 * output. */
#include "passes.h"
#include "pattern.h"
#include "scaled.h"

/* Whether v is a scale of the product: one number, or for a MatMul one for each column. */
static int is_scale(const struct node *n, const struct value *v)
{
	const size_t count = value_count(v);

	return v->type == F32 && (count == 1 || (is_op(n, "MatMulInteger") && count == n->in[IN_WEIGHTS]->dim[1] &&
	                                         v->rank && v->dim[v->rank - 1] == count));
}

/* A constant bias along the axis of channels. */
static int is_bias(const struct value *v, const struct value *y, size_t axis)
{
	const size_t from_end = y->rank - axis;

	return value_is_constant(v) && value_count(v) == y->dim[axis] && v->rank >= from_end &&
	       v->dim[v->rank - from_end] == y->dim[axis];
}

static int fuse_product(struct graph *g, struct node *n)
{
	const struct node *cast = graph_only_user(g, n->out[0]),
					  *mul = is_op(cast, "Cast") ? graph_only_user(g, cast->out[0]) : NULL, *add;
	struct value *scale = is_op(mul, "Mul") && cast->out[0]->type == F32 ? beside(mul, cast->out[0]) : NULL, *last,
				 *bias;
	struct node *product;
	const int is_conv = is_op(n, "ConvInteger");

	if (!scale || !is_scale(n, scale) || !value_same_dims(mul->out[0], n->out[0]))
		return 0;
	last = mul->out[0];
	add = graph_only_user(g, last);
	bias = is_op(add, "Add") ? beside(add, last) : NULL;
	if (bias && !is_bias(bias, last, is_conv ? 1 : last->rank - 1))
		bias = NULL;
	if (bias)
		last = add->out[0];
	product = node_new(g, is_conv ? "ScaledConv" : "ScaledMatMul", n->name, 7, 1);
	product->proto = n->proto;
	graph_set_input(g, product, IN_X, n->in[0]);
	graph_set_input(g, product, IN_WEIGHTS, n->in[1]);
	if (bias)
		graph_set_input(g, product, IN_BIAS, bias);
	graph_set_input(g, product, IN_SCALE, scale);
	if (n->ins > 2 && n->in[2])
		graph_set_input(g, product, IN_A_ZERO, n->in[2]);
	if (n->ins > 3 && n->in[3])
		graph_set_input(g, product, IN_B_ZERO, n->in[3]);
	graph_put(g, product, last);
	graph_tidy(g);
	return 1;
}

static int fuse_one(struct graph *g, struct node *n)
{
	return (is_op(n, "MatMulInteger") || is_op(n, "ConvInteger")) && fuse_product(g, n);
}

void fuse_scaled(struct graph *g)
{
	fuse_all(g, fuse_one);
}
