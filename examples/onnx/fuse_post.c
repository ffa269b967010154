/* SPDX-License-Identifier: MIT */
/* Activations and residuals behind a convolution or product, which the kernel computes before it stores. */
#include <string.h>

#include "ops.h"
#include "passes.h"
#include "pattern.h"
#include "post.h"

static const struct {
	const char *op;
	enum isk_activation act;
} activations[] = {
	{"Relu", ISK_ACT_RELU},           {"Sigmoid", ISK_ACT_SIGMOID},      {"Tanh", ISK_ACT_TANH},
	{"HardSwish", ISK_ACT_HARDSWISH}, {"LeakyRelu", ISK_ACT_LEAKY_RELU}, {"Gelu", ISK_ACT_GELU},
	{"Silu", ISK_ACT_SILU},
};

static int is_product(const struct node *n)
{
	return is_op(n, "Conv") || is_op(n, "MatMul") || is_op(n, "ConvTranspose") || is_op(n, "ScaledConv") ||
	       is_op(n, "ScaledMatMul");
}

static int has_input(const struct node *n, size_t i)
{
	return i < n->ins && n->in[i];
}

/* Multiplies weights and bias. */
static void scale(struct graph *g, struct node *n, double factor)
{
	for (size_t i = IN_WEIGHTS; i <= IN_BIAS; i++) {
		const struct value *old = has_input(n, i) ? n->in[i] : NULL;
		struct value *new;

		if (!old)
			continue;
		new = constant_new(g, old->name, F32, old->rank, old->dim);
		isk_scale_f32(value_data(new), value_data(old), value_count(old), (float)factor);
		graph_set_input(g, n, i, new);
	}
}

/* isakern's hard sigmoid is that of alpha 1 / 6; another alpha is a factor of the weights. */
static int set_hard_sigmoid(struct graph *g, struct node *n, const struct node *act)
{
	const double alpha = attribute_float(act, "alpha", 0.2);

	if (fabs(attribute_float(act, "beta", 0.5) - 0.5) > 1e-7 || n->in[IN_WEIGHTS]->type != F32 ||
	    !value_is_constant(n->in[IN_WEIGHTS]))
		return 0;
	n->act = ISK_ACT_HARDSIGMOID;
	if (fabs(alpha - 1.0 / 6) > 1e-6)
		scale(g, n, 6 * alpha);
	return 1;
}

static int set_activation(struct graph *g, struct node *n, const struct node *act)
{
	for (size_t i = 0; i < sizeof(activations) / sizeof(*activations); i++)
		if (is_op(act, activations[i].op)) {
			n->act = activations[i].act;
			n->act_a = n->act == ISK_ACT_LEAKY_RELU ? attribute_float(act, "alpha", 0.01) : 0;
			return 1;
		}
	if (is_op(act, "HardSigmoid"))
		return set_hard_sigmoid(g, n, act);
	if (!is_op(act, "Clip"))
		return 0;
	n->act = ISK_ACT_HARDTANH;
	clip_bounds(act, &n->act_a, &n->act_b);
	return 1;
}

static void fuse_activations(struct graph *g)
{
	for (size_t i = 0; i < g->nodes; i++) {
		struct node *n = g->node[i], *user;

		if (!is_product(n) || n->act || has_input(n, IN_OTHER))
			continue;
		user = graph_only_user(g, n->out[0]);
		if (!user || !set_activation(g, n, user))
			continue;
		graph_replace(g, user->out[0], n->out[0]);
		graph_kill(user);
	}
}

/* The sum at place `at` of a product and a value of the same dims. The product moves there, since that value comes
 * later. */
static void fuse_residual(struct graph *g, size_t at)
{
	struct node *sum = g->node[at];

	for (size_t j = 2; is_op(sum, "Add") && j-- > 0;) {
		struct node *n = sum->in[j]->maker;
		struct value *other = sum->in[1 - j], *product = sum->in[j];

		if (!n || n->dead || !is_product(n) || has_input(n, IN_OTHER) ||
		    product->uses != 1 || product->is_output || !value_same_dims(product, other) || value_is_constant(other) ||
		    (is_op(n, "MatMul") && (!value_is_constant(n->in[IN_WEIGHTS]) || n->in[IN_WEIGHTS]->rank != 2)))
			continue;
		graph_exchange(g, n, sum);
		graph_set_input(g, n, IN_OTHER, other);
		graph_kill(sum);
		n->out[0] = sum->out[0];
		n->out[0]->maker = n;
		return;
	}
}

/* A factor behind or before a product of two values that are not constant is the product's. */
static void fuse_factor(struct graph *g, size_t at)
{
	struct node *n = g->node[at];
	double factor;

	if (!is_op(n, "MatMul") || value_is_constant(n->in[IN_WEIGHTS]))
		return;
	for (size_t i = 0; i < 2; i++) {
		const struct node *mul = made_by(n->in[i], "Mul");
		struct node *user = graph_only_user(g, n->out[0]);

		for (size_t j = 0; mul && j < 2; j++)
			if (value_is_scalar(mul->in[j], &factor) && value_same_dims(mul->in[1 - j], n->in[i])) {
				n->alpha *= factor;
				graph_set_input(g, n, i, mul->in[1 - j]);
				break;
			}
		if ((is_op(user, "Mul") && value_is_scalar(beside(user, n->out[0]), &factor)) ||
		    (is_op(user, "Div") && value_is_scalar(user->in[1], &factor))) {
			if (!value_same_dims(user->out[0], n->out[0]))
				continue;
			n->alpha *= is_op(user, "Div") ? 1 / factor : factor;
			graph_replace(g, user->out[0], n->out[0]);
			graph_kill(user);
		}
	}
}

void fuse_post(struct graph *g)
{
	fuse_activations(g);
	graph_tidy(g);
	for (size_t i = 0; i < g->nodes; i++) {
		fuse_factor(g, i);
		fuse_residual(g, i);
	}
}
