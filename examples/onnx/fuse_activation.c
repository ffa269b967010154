/* SPDX-License-Identifier: MIT */
/* Activations that the file spells out: hard swish, SiLU, GELU, and squares. */
#include "ops.h"
#include "passes.h"
#include "pattern.h"

/* x * clip(x + 3, 0, 6) / 6, of which n is the last node. */
static struct value *hard_swish(const struct node *n)
{
	const struct value *product = is_op(n, "Div")   ? (beside_number(n, 6) == n->in[0] ? n->in[0] : NULL)
	                              : is_op(n, "Mul") ? beside_number(n, 1.0 / 6)
	                                                : NULL;
	const struct node *mul = made_by(product, "Mul");
	double low, high;

	for (size_t i = 0; mul && i < 2; i++) {
		const struct node *clip = made_by(mul->in[i], "Clip"), *add = clip ? made_by(clip->in[0], "Add") : NULL;
		struct value *x = beside_number(add, 3);

		if (!x || x != mul->in[1 - i])
			continue;
		clip_bounds(clip, &low, &high);
		if (low == 0 && high == 6)
			return x;
	}
	return NULL;
}

/* x * sigmoid(x). */
static struct value *silu(const struct node *n)
{
	for (size_t i = 0; is_op(n, "Mul") && i < 2; i++) {
		const struct node *sigmoid = made_by(n->in[i], "Sigmoid");

		if (sigmoid && sigmoid->in[0] == n->in[1 - i])
			return n->in[1 - i];
	}
	return NULL;
}

/* v if it is 1 + erf(x / sqrt(2)); then *x is set. */
static int is_erf_of(const struct value *v, struct value **x)
{
	const struct node *erf = made_by(beside_number(made_by(v, "Add"), 1), "Erf");
	struct node *scaled = erf ? erf->in[0]->maker : NULL;

	*x = is_op(scaled, "Div")   ? beside_number(scaled, sqrt(2))
	     : is_op(scaled, "Mul") ? beside_number(scaled, sqrt(0.5))
	                            : NULL;
	return *x && (is_op(scaled, "Mul") || *x == scaled->in[0]);
}

/* x / 2 * (1 + erf(x / sqrt(2))), with the factor 1 / 2 at the end or at x. */
static struct value *gelu(const struct node *n)
{
	const struct node *inner = is_op(n, "Mul") ? made_by(beside_number(n, 0.5), "Mul") : NULL;
	struct value *x;

	for (size_t i = 0; inner && i < 2; i++)
		if (is_erf_of(inner->in[i], &x) && inner->in[1 - i] == x)
			return x;
	for (size_t i = 0; is_op(n, "Mul") && i < 2; i++)
		if (is_erf_of(n->in[i], &x) && beside_number(made_by(n->in[1 - i], "Mul"), 0.5) == x)
			return x;
	return NULL;
}

static struct value *square(const struct node *n)
{
	double two;

	return is_op(n, "Pow") && value_is_scalar(n->in[1], &two) && two == 2 ? n->in[0] : NULL;
}

static const struct {
	const char *op;
	struct value *(*find)(const struct node *last);
} patterns[] = {{"HardSwish", hard_swish}, {"Silu", silu}, {"Gelu", gelu}, {"Square", square}};

void fuse_activation(struct graph *g)
{
	for (size_t i = 0; i < g->nodes; i++)
		for (size_t j = 0; j < sizeof(patterns) / sizeof(*patterns); j++) {
			struct value *x = patterns[j].find(g->node[i]);

			if (x && value_same_dims(x, g->node[i]->out[0])) {
				fuse(g, patterns[j].op, x, g->node[i]->out[0]);
				break;
			}
		}
}
