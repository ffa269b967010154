/* SPDX-License-Identifier: MIT */
/* Layer norm and RMS norm of the last axis, which files spell out in means, squares and roots. */
#include "passes.h"
#include "pattern.h"

static int is_mean_of_rows(const struct node *n)
{
	int64_t axis;
	const struct value *x = n ? n->in[0] : NULL;

	return x && parameter_ints(n, "axes", 1, &axis, 1) == 1 && axis_of(n, axis, x->rank) == x->rank - 1 &&
	       attribute_int(n, "keepdims", 1);
}

static struct value *mean_of(const struct value *v)
{
	const struct node *n = made_by(v, "ReduceMean");

	return is_mean_of_rows(n) ? n->in[0] : NULL;
}

/* If v is sqrt(mean(x * x) + epsilon), x. */
static struct value *root_mean_square(const struct value *v, double *epsilon)
{
	const struct node *root = made_by(v, "Sqrt"), *add = root ? made_by(root->in[0], "Add") : NULL;
	const struct value *squares = NULL;
	const struct node *square, *product;

	for (size_t i = 0; add && i < 2; i++)
		if (value_is_scalar(add->in[i], epsilon))
			squares = mean_of(add->in[1 - i]);
	square = made_by(squares, "Square");
	product = made_by(squares, "Mul");
	return square ? square->in[0] : product && product->in[0] == product->in[1] ? product->in[0] : NULL;
}

/* If v is x - mean(x), x. */
static struct value *centred(const struct value *v)
{
	const struct node *sub = made_by(v, "Sub");

	return sub && mean_of(sub->in[1]) == sub->in[0] ? sub->in[0] : NULL;
}

/* A constant with a number for each column. */
static int is_row(const struct value *v, size_t cols)
{
	return v && value_is_constant(v) && v->type == F32 && value_count(v) == cols && v->rank &&
	       v->dim[v->rank - 1] == cols;
}

/* If the only user of n's output is this operator with a row, that row; *last becomes the user's output. */
static struct value *row_behind(struct graph *g, struct value **last, const char *op, size_t cols)
{
	struct node *user = graph_only_user(g, *last);
	struct value *row = is_op(user, op) ? beside(user, *last) : NULL;

	if (!is_row(row, cols) || !value_same_dims(user->out[0], *last))
		return NULL;
	*last = user->out[0];
	return row;
}

static void fuse_one(struct graph *g, struct node *n, const char *op, struct value *x, double epsilon)
{
	const size_t cols = x->dim[x->rank - 1];
	struct value *last = n->out[0], *weight, *bias;
	struct node *norm;

	weight = row_behind(g, &last, "Mul", cols);
	bias = row_behind(g, &last, "Add", cols);
	norm = fuse(g, op, x, last);
	norm->number[0] = epsilon;
	graph_set_input(g, norm, 2, x);
	norm->in[2] = NULL;
	x->uses--;
	if (weight)
		graph_set_input(g, norm, 1, weight);
	if (bias)
		graph_set_input(g, norm, 2, bias);
}

void fuse_norm(struct graph *g)
{
	for (size_t i = 0; i < g->nodes; i++) {
		struct node *n = g->node[i];
		double epsilon;

		if (is_op(n, "Div")) {
			struct value *d = n->in[0], *squared = root_mean_square(n->in[1], &epsilon), *x = centred(d);

			if (x && squared && centred(squared) == x)
				fuse_one(g, n, "LayerNorm", x, epsilon);
			else if (squared && squared == d)
				fuse_one(g, n, "RmsNorm", d, epsilon);
		} else if (is_op(n, "Mul")) {
			for (size_t j = 0; j < 2; j++) {
				const struct node *recip = n->in[j]->maker;
				double one;
				const struct value *root = is_op(recip, "Reciprocal") ? recip->in[0]
				                           : is_op(recip, "Div") && value_is_scalar(recip->in[0], &one) && one == 1
				                               ? recip->in[1]
				                               : NULL;

				if (root && root_mean_square(root, &epsilon) == n->in[1 - j]) {
					fuse_one(g, n, "RmsNorm", n->in[1 - j], epsilon);
					break;
				}
			}
		}
	}
}
